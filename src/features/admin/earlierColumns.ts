import { Problem } from '../../base/problem.ts'
import { JOURNALED, type JournaledTable, type JournalRow } from '../../store/journal/journalRow.ts'
import type { JobRow, Row } from '../../store/rows.ts'
import type { TableReader } from '../../store/tableReader.ts'
import type { TableReaders } from '../../store/tables.ts'
import { validateChangedJob } from '../jobs/rules.ts'

/** A column of a record that gets an earlier value. */
export interface ColumnChange {
  readonly column: string
  readonly from: unknown
  readonly to: unknown
}

/** The columns of a job that decide its status. They only come back together, and only if none has changed since. */
const STATUS_COLUMNS: ReadonlySet<string> = new Set([
  'pending',
  'renewing',
  'refusal',
  'submittedAt',
  'publishAt',
  'publishedAt',
  'filledAt',
  'closedAt',
  'expiresAt',
  'renewedAt',
])
/** The columns that the board keeps for itself, and those whose files or mails are gone. */
const OWN_COLUMNS: ReadonlySet<string> = new Set([
  'updatedAt',
  'logo',
  'claimEmail',
  'remindedOf',
  'reminders',
  'warnedAt',
])
/** What an administrator can undo of an account: nobody's address or password. */
const ACCOUNT_COLUMNS: ReadonlySet<string> = new Set(['role'])

/** Returns the columns that get the values from before a change, and sentences about those that don't. */
export function columnsToRestore(
  tables: TableReaders,
  table: JournaledTable,
  id: number,
  entry: JournalRow,
): { readonly changes: readonly ColumnChange[]; readonly notes: readonly string[] } {
  // The columns are read by name, so the row type isn't needed.
  const current = (tables[table] as unknown as TableReader<Row>).get(id)
  const now = new Map<string, unknown>(Object.entries(current ?? {}))
  const before = Object.entries(entry.before ?? {}).filter(
    ([column]) => !OWN_COLUMNS.has(column) && (table !== 'users' || ACCOUNT_COLUMNS.has(column)),
  )
  const keepsStatus =
    table === 'jobs' &&
    before.some(([column]) => STATUS_COLUMNS.has(column)) &&
    hasLaterStatus(tables, id, entry)
  const hasLostOwner = before.some(([column, value]) => isLostOwner(tables, column, value))
  const changes = before
    .filter(([column, value]) => now.get(column) !== value && !isLostOwner(tables, column, value))
    .filter(([column]) => !(keepsStatus && STATUS_COLUMNS.has(column)))
    .map(([column, to]) => ({ column, from: now.get(column), to }))
  return {
    changes,
    notes: [
      ...(hasLostOwner ? ['Its owner stays as it is: the earlier account was deleted.'] : []),
      ...(keepsStatus ? ['Its status has changed since then and stays as it is.'] : []),
      ...(entry.before?.['logo'] === undefined
        ? []
        : ['The logo stays as it is: the earlier file was deleted.']),
    ],
  }
}

/** Whether a column of a job refers to an account that was deleted. */
const isLostOwner = ({ users }: TableReaders, column: string, value: unknown) =>
  column === 'userId' && typeof value === 'number' && !users.has(value)

/** Whether the columns that decide a job's status have changed after an entry. */
const hasLaterStatus = ({ journal }: TableReaders, id: number, entry: JournalRow) =>
  journal
    .idsWhere(JOURNALED.jobs, id)
    .filter(seq => seq > entry.id)
    .some(seq => Object.keys(journal.get(seq)?.after ?? {}).some(column => STATUS_COLUMNS.has(column)))

/** Returns a job with earlier values. @throws Problem 'conflict' if it is not complete or refers to deleted records */
export function validJob(tables: TableReaders, row: Row): JobRow {
  // The columns are those of a job.
  const job = row as JobRow
  const { errors } = validateChangedJob(job, { values: new Map(), isForm: false })
  const wrong = Object.keys(errors)
  if (wrong.length > 0)
    throw new Problem('conflict', `The job would be incomplete: ${wrong.join(', ')}. Edit it instead.`)
  const parents = [
    ['category', tables.categories, job.categoryId],
    ['employment type', tables.terms, job.termId],
    ['plan', tables.plans, job.planId],
  ] as const
  for (const [noun, table, id] of parents)
    if (id === null ? job.submittedAt !== null : !table.has(id))
      throw new Problem('conflict', `The ${noun} from before this change was deleted. Put that back first.`)
  return job
}
