import { DAY } from '../../base/clock.ts'
import { notFound, Problem } from '../../base/problem.ts'
import { type JournaledTable, type JournalRow, subjectOf } from '../../store/journal/journalRow.ts'
import type { Row } from '../../store/rows.ts'
import type { TableReader } from '../../store/tableReader.ts'
import type { TableReaders } from '../../store/tables.ts'
import { jobsDeletedWith, lateStart, restoredJob } from './deletedJobs.ts'
import { type ColumnChange, columnsToRestore, validJob } from './earlierColumns.ts'

/** For how long a change can be put back. */
const PUT_BACK_PERIOD = 30 * DAY

/** The tables whose records can be put back, with their name in messages. The data of people is erased at its deletion. */
const NOUNS = {
  jobs: 'job',
  categories: 'category',
  terms: 'employment type',
  plans: 'plan',
  users: 'account',
} as const
type RestorableTable = keyof typeof NOUNS

/** A row that is written, with the name of its table. */
interface RestoredRow {
  readonly table: RestorableTable
  readonly row: Row
}

/** What putting back a change does. */
export interface PutBackPlan {
  readonly table: RestorableTable
  readonly id: number
  /** The rows as they will be: a deleted record with what was deleted with it, or a changed one. */
  readonly rows: readonly RestoredRow[]
  /** The columns of an existing record that change; none if it was deleted. */
  readonly changes: readonly ColumnChange[]
  /** Sentences about what does not come back. */
  readonly notes: readonly string[]
}

/** Whether a change can probably be put back. The final answer needs the plan. */
export function mayPutBack(tables: TableReaders, entry: JournalRow, now: number): boolean {
  const { table, id } = subjectOf(entry)
  if (!entry.before || isTooOld(entry, now) || !isRestorable(table)) return false
  const exists = tables[table].has(id)
  if (!entry.after) return !exists && table !== 'users'
  return exists && columnsToRestore(tables, table, id, entry).changes.length > 0
}

/**
 * Returns what putting back a change does. Reliable only in a transaction.
 * @throws Problem 'notFound', 'conflict' if it can't be put back, with the reason
 */
export function planPutBack(tables: TableReaders, seq: number, now: number): PutBackPlan {
  const entry = tables.journal.get(seq)
  if (!entry) throw notFound('change')
  if (isTooOld(entry, now))
    throw conflict('This change is more than 30 days old. It can no longer be put back.')
  const { table, id } = subjectOf(entry)
  if (!entry.before) throw conflict("This change can't be put back: there was nothing before it.")
  if (!isRestorable(table) || (table === 'users' && !(entry.after && tables.users.has(id))))
    throw conflict("The data of people can't be put back: it was erased.")
  const plan = entry.after
    ? planColumns(tables, table, id, entry, now)
    : planRecord(tables, table, id, entry, now)
  for (const { table: name, row } of plan.rows) requireUnique(tables, name, row)
  return { table, id, ...plan }
}

type Parts = Pick<PutBackPlan, 'rows' | 'changes' | 'notes'>

function planRecord(
  tables: TableReaders,
  table: RestorableTable,
  id: number,
  entry: JournalRow,
  now: number,
): Parts {
  if (tables[table].has(id)) throw conflict(`The ${NOUNS[table]} is already back.`)
  if (table === 'jobs') {
    const { row, notes } = restoredJob(tables, entry, now)
    return { rows: [{ table, row }], changes: [], notes }
  }
  const rows: RestoredRow[] = [{ table, row: { id, ...entry.before } }]
  if (table !== 'categories' && table !== 'terms') return { rows, changes: [], notes: [] }
  const notes = new Set<string>()
  for (const deleted of jobsDeletedWith(tables, entry, table)) {
    try {
      const job = restoredJob(tables, deleted, now, { table, id })
      requireUnique(tables, 'jobs', job.row)
      rows.push({ table: 'jobs', row: job.row })
      for (const note of job.notes) notes.add(note)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      notes.add(`${String(deleted.before?.['title'])} stays deleted. ${error.message}`)
    }
  }
  return { rows, changes: [], notes: [...notes] }
}

function planColumns(
  tables: TableReaders,
  table: RestorableTable,
  id: number,
  entry: JournalRow,
  now: number,
): Parts {
  // A check reads columns by name, so it doesn't need the row type.
  const current = (tables[table] as unknown as TableReader<Row>).get(id)
  if (!current) throw conflict(`The ${NOUNS[table]} was deleted. Put back its deletion first.`)
  if (table === 'users' && entry.before?.['role'] === undefined)
    throw conflict('Only the role of an account can be put back, not what it signs in with.')
  const { changes, notes } = columnsToRestore(tables, table, id, entry)
  if (changes.length === 0)
    throw conflict(notes[0] ?? `The ${NOUNS[table]} is already as it was before this change.`)
  const row: Row = {
    ...current,
    ...Object.fromEntries(changes.map(({ column, to }) => [column, to])),
  }
  if (table !== 'jobs') return { rows: [{ table, row }], changes, notes }
  const job = validJob(tables, row)
  const dated = { ...job, publishedAt: lateStart(job, entry.at, now), updatedAt: now }
  return { rows: [{ table, row: dated }], changes, notes }
}

/** @throws Problem 'conflict' if another record has taken a unique value of a row meanwhile */
function requireUnique(tables: TableReaders, table: RestorableTable, row: Row) {
  const column: string | undefined = (tables[table] as unknown as TableReader<Row>).takenColumn(row)
  if (column === undefined) return
  const { [column]: value }: Readonly<Record<string, unknown>> = { ...row }
  throw conflict(
    `Another ${NOUNS[table]} has the same ${column === 'name' ? 'name' : 'external id'} now: ${String(value)}. Change that one first.`,
  )
}

const isRestorable = (table: JournaledTable): table is RestorableTable => table in NOUNS

const isTooOld = ({ at }: JournalRow, now: number) => at < now - PUT_BACK_PERIOD

const conflict = (message: string) => new Problem('conflict', message)
