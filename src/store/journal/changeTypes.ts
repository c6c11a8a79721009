import { type Status, statusOf } from '../jobStatus.ts'
import type { JobRow, PlanRow } from '../rows.ts'
import type { Change } from '../tables.ts'
import type { ChangeType, JournaledTable, PublicChangeType } from './journalRow.ts'

/** A change to a row of a journaled table. */
export type JournaledChange = Change & { readonly table: JournaledTable }

/** The meaning of a change, for those who follow the board and for visitors. */
interface ChangeMeaning {
  readonly types: readonly ChangeType[]
  readonly publicType?: PublicChangeType | undefined
}

/** The columns that record which mails were sent. If only they change, the change has no type. */
const MAIL_COLUMNS: ReadonlySet<string> = new Set(['remindedOf', 'reminders', 'warnedAt', 'digestedUntil'])
/** The columns of a job whose changes have types of their own. */
const STATUS_COLUMNS: ReadonlySet<string> = new Set([
  'pending',
  'renewing',
  'refusal',
  'updatedAt',
  'submittedAt',
  'publishedAt',
  'filledAt',
  'closedAt',
  'expiresAt',
])
/** The other columns of a job that visitors don't see. */
const HIDDEN_COLUMNS: ReadonlySet<string> = new Set(['userId', 'publishAt', 'source', 'externalId'])

/** Returns what a change means at a time. @param columns the names of the columns that differ */
export function meaningOf(change: JournaledChange, columns: readonly string[], now: number): ChangeMeaning {
  if (change.table === 'jobs') return meaningOfJobChange(change, columns, now)
  // Old runs are removed without notice.
  if (change.table === 'sourceRuns') return { types: change.before ? [] : ['source.run'] }
  const { table, before, after } = change
  if (before && after && columns.every(column => MAIL_COLUMNS.has(column))) return { types: [] }
  if (table === 'plans' && before && after) return { types: planTypes(before, after, columns) }
  const verb = before ? (after ? 'updated' : 'deleted') : 'created'
  return { types: [`${NOUNS[table]}.${verb}`] }
}

const NOUNS = {
  categories: 'category',
  terms: 'term',
  plans: 'plan',
  users: 'user',
  subscribers: 'subscriber',
} as const

function planTypes(before: PlanRow, after: PlanRow, columns: readonly string[]): ChangeType[] {
  const types: ChangeType[] = columns.some(column => column !== 'archived') ? ['plan.updated'] : []
  if (before.archived !== after.archived) types.push(after.archived ? 'plan.archived' : 'plan.activated')
  return types
}

function meaningOfJobChange(
  { before, after }: JournaledChange & { readonly table: 'jobs' },
  columns: readonly string[],
  now: number,
): ChangeMeaning {
  const from = before && statusOf(before, now)
  const to = after && statusOf(after, now)
  const isVisible = columns.some(column => isContent(column) && !HIDDEN_COLUMNS.has(column))
  return {
    types: before && after ? updateTypes({ before, after, columns, now }) : typesOfWhole(to),
    publicType: publicTypeOf(from === 'active', to === 'active', isVisible),
  }
}

/** Returns the types of a job's creation, or deletion if it has no status afterwards. */
function typesOfWhole(to: Status | undefined): ChangeType[] {
  if (to === undefined) return ['job.deleted']
  if (to === 'pending') return ['job.created', 'job.submitted']
  return to === 'active' ? ['job.created', 'job.published'] : ['job.created']
}

function publicTypeOf(wasActive: boolean, isActive: boolean, isVisible: boolean) {
  if (wasActive !== isActive) return isActive ? 'job.published' : 'job.closed'
  return isActive && isVisible ? 'job.changed' : undefined
}

interface JobUpdate {
  readonly before: JobRow
  readonly after: JobRow
  readonly columns: readonly string[]
  readonly now: number
}

function updateTypes(update: JobUpdate): ChangeType[] {
  const { before, after, columns, now } = update
  const [from, to] = [statusOf(before, now), statusOf(after, now)]
  const meanings: [ChangeType, boolean][] = [
    ['job.updated', columns.some(isContent)],
    ['job.submitted', isSubmission(from, to)],
    ['job.refused', after.refusal !== null && after.refusal !== before.refusal],
    ['job.renewed', isRenewal(update)],
    ['job.reopened', isOut(from) && !isOut(to) && to !== 'pending' && !isRenewal(update)],
    ['job.published', to === 'active' && isPublication(from, update)],
    ['job.filled', to === 'filled' && from !== to],
    ['job.closed', to === 'closed' && from !== to],
    ['job.expired', to === 'expired' && from !== to],
  ]
  const types = meanings.filter(([, applies]) => applies).map(([type]) => type)
  if (types.length > 0 || columns.every(column => MAIL_COLUMNS.has(column))) return types
  return ['job.updated']
}

const isContent = (column: string) => !STATUS_COLUMNS.has(column) && !MAIL_COLUMNS.has(column)

const isOut = (status: Status) => status === 'filled' || status === 'closed'

const isSubmission = (from: Status, to: Status) =>
  from !== to &&
  (to === 'pending' ||
    ((from === 'draft' || from === 'refused') && ['scheduled', 'active', 'expired'].includes(to)))

/** Whether the end of a job is put off. */
const isRenewal = ({ before, after }: JobUpdate) =>
  before.publishedAt !== null &&
  before.publishedAt === after.publishedAt &&
  before.expiresAt !== null &&
  (after.expiresAt === null || after.expiresAt > before.expiresAt)

/** Whether a job that is active now appears as new. A job that was closed before its publication does when it is reopened. */
const isPublication = (from: Status, { before, after }: JobUpdate) =>
  isOut(from)
    ? before.publishedAt !== after.publishedAt
    : from === 'draft' || from === 'pending' || from === 'refused' || from === 'scheduled'
