import type { Board } from '../../board.ts'
import {
  type Actor,
  type ChangeType,
  JOURNALED,
  type JournaledTable,
  type JournalRow,
  subjectOf,
  type TypedEntry,
} from '../../store/journal/journalRow.ts'
import type { TableReaders } from '../../store/tables.ts'
import { changedLabels, valuesText } from './changeColumns.ts'
import type { TextPart } from './listing.ts'

export const CHANGES_PATH = '/admin/changes'
/** With more changed columns, a sentence has only their number. */
const MAX_LABELS = 3

const AND = new Intl.ListFormat('en', { type: 'conjunction' })

/** What happened, after the name of somebody who did it, and after that of the record. */
const VERBS: Readonly<Record<ChangeType, readonly [active: string, passive: string]>> = {
  'job.created': ['posted', 'was posted'],
  'job.submitted': ['submitted', 'was submitted'],
  'job.published': ['published', 'was published'],
  'job.updated': ['changed', 'was changed'],
  'job.refused': ['refused', 'was refused'],
  'job.filled': ['marked as filled:', 'was marked as filled'],
  'job.closed': ['closed', 'was closed'],
  'job.reopened': ['reopened', 'was reopened'],
  'job.renewed': ['renewed', 'was renewed'],
  'job.expiring': ['changed', 'expires in a week'],
  'job.expired': ['ended', 'expired'],
  'job.deleted': ['deleted', 'was deleted'],
  'category.created': ['added the category', 'was added'],
  'category.updated': ['renamed the category', 'was renamed'],
  'category.deleted': ['deleted the category', 'was deleted'],
  'term.created': ['added the employment type', 'was added'],
  'term.updated': ['renamed the employment type', 'was renamed'],
  'term.deleted': ['deleted the employment type', 'was deleted'],
  'plan.created': ['added the plan', 'was added'],
  'plan.updated': ['changed the plan', 'was changed'],
  'plan.archived': ['archived the plan', 'was archived'],
  'plan.activated': ['activated the plan', 'was activated'],
  'plan.deleted': ['deleted the plan', 'was deleted'],
  'user.created': ['added', 'registered'],
  'user.updated': ['changed', 'was changed'],
  'user.deleted': ['deleted', 'was deleted'],
  'subscriber.created': ['added', 'subscribed'],
  'subscriber.updated': ['changed', 'was changed'],
  'subscriber.deleted': ['deleted', 'was deleted'],
  'source.run': ['ran', 'was synchronized'],
}

/** The tables by the names that addresses of pages have. */
export const KINDS = {
  job: 'jobs',
  category: 'categories',
  term: 'terms',
  plan: 'plans',
  user: 'users',
  subscriber: 'subscribers',
  source: 'sourceRuns',
} as const satisfies Record<string, JournaledTable>

/** Returns a change as a sentence, whose names are links to the changes of that record, or by that person. */
export function sentenceOf(board: Board, entry: TypedEntry): TextPart[] {
  const { actor, type } = entry
  const { table, id } = subjectOf(entry)
  const record = { text: recordName(board, table, id), href: recordPath(table, id) }
  const by = actorName(board, actor)
  const [active, passive] = VERBS[type]
  if (by === undefined || table === 'sourceRuns')
    return [record, textPart(` ${isReturn(board, entry) ? 'was put back' : passive}`)]
  const who = { text: by, href: actorPath(actor) }
  if (isReturn(board, entry)) return [who, textPart(' put back '), record]
  const labels =
    type.endsWith('.updated') && table !== 'categories' && table !== 'terms'
      ? [...new Set(changedLabels(board, entry, table))]
      : []
  const what = labels.length > MAX_LABELS ? `${labels.length} fields` : `the ${AND.format(labels)}`
  return [who, textPart(labels.length === 0 ? ` ${active} ` : ` changed ${what} of `), record]
}

/** Returns what a change did to each column, in a few words, or the outcome of a run; empty for a new or deleted record. */
export function detailsOf(board: Board, { before, after, sourceRunId }: JournalRow): string {
  if (sourceRunId !== undefined) return board.store.read.sourceRuns.get(sourceRunId)?.message ?? ''
  if (!before || !after) return ''
  return Object.entries(after)
    .flatMap(([column, to]) => valuesText(board, column, before[column], to))
    .join('; ')
}

const textPart = (text: string): TextPart => ({ text, href: '' })

/** Whether a record that was deleted is created again, under its own id. */
const isReturn = ({ store }: Board, entry: JournalRow) => {
  if (entry.before || !entry.after) return false
  const { table, id } = subjectOf(entry)
  const [first = entry.id] = store.read.journal.idsWhere(JOURNALED[table], id)
  return first < entry.id
}

/** Returns the name of a record as it is now, or as it was when it was deleted. */
export function recordName({ store }: Board, table: JournaledTable, id: number): string {
  const { read } = store
  const current: object | undefined = read[table].get(id)
  const last = current ? undefined : read.journal.idsWhere(JOURNALED[table], id).at(-1)
  const { title, name, email, sourceId }: Readonly<Record<string, unknown>> = {
    ...(current ?? (last === undefined ? undefined : read.journal.get(last)?.before)),
  }
  const text = title ?? name ?? email
  if (typeof text === 'string' && text !== '') return text
  if (typeof sourceId === 'number') return sourceName(read, sourceId)
  return table === 'users'
    ? 'a deleted account'
    : table === 'subscribers'
      ? 'a deleted subscriber'
      : `number ${id}`
}

/** Returns the name of who made a change as it is now; undefined for the board itself, and visitors. */
export function actorName({ store }: Board, actor: Actor): string | undefined {
  const { users, accessTokens } = store.read
  if (!('id' in actor)) return actor.kind === 'cli' ? 'The command line' : undefined
  if (actor.kind === 'source') return sourceName(store.read, actor.id)
  if (actor.kind === 'user') return users.get(actor.id)?.email ?? 'A deleted account'
  const token = accessTokens.get(actor.id)
  if (!token) return 'A deleted access token'
  return `${users.get(token.userId)?.email ?? 'A deleted account'} (token ${token.name})`
}

const sourceName = ({ sources }: TableReaders, id: number) => `Source ${sources.get(id)?.name ?? id}`

const actorPath = (actor: Actor) =>
  `${CHANGES_PATH}?actor=${actor.kind}${'id' in actor ? `-${actor.id}` : ''}`

/** Returns the path of the page with the changes of a record. */
export function recordPath(table: JournaledTable, id: number): string {
  const kind = Object.entries(KINDS).find(([, name]) => name === table)?.[0] ?? table
  return `${CHANGES_PATH}?record=${kind}-${id}`
}
