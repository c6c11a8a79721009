import type { Databases } from '../databases.ts'
import type { IntegrityError } from '../integrityError.ts'
import type { JobRow, Row } from '../rows.ts'
import type { Tables } from '../tables.ts'
import { momentAt, nextMoment } from './jobMoments.ts'
import { columnOf, journaledColumns } from './journal.ts'
import { JOURNALED, type JournaledColumns, type JournalRow, subjectOf, SYSTEM } from './journalRow.ts'
import { readOrUndefined } from './readOrUndefined.ts'

/** Checks that the journal has no gap and leads to the records, and that the next moment of each job is known. */
export function findJournalErrors(databases: Databases, tables: Tables, now: number): IntegrityError[] {
  return [...gaps(tables), ...new RecordCheck(tables, now).errors(), ...momentErrors(databases, tables, now)]
}

/** Entries without columns are put into gaps, so that those who follow the journal aren't stopped. */
function* gaps({ journal }: Tables): Generator<IntegrityError> {
  let last: number | undefined
  for (const seq of journal.rows.getKeys()) {
    for (let missing = (last ?? seq - 1) + 1; missing < seq; missing++)
      yield {
        message: `The journal is missing entry ${missing}.`,
        repair: () =>
          void journal.rows.put(missing, { id: missing, at: journal.get(seq)?.at ?? 0, actor: SYSTEM }),
      }
    last = seq
  }
}

/** Compares the latest journaled value of each column with the records, from the newest entry to the oldest. */
class RecordCheck {
  /** The columns of each record that newer entries have; `whole` if nothing older matters. */
  private readonly seen = new Map<string, Set<string> | 'whole'>()

  constructor(
    private readonly tables: Tables,
    private readonly now: number,
  ) {}

  *errors(): Generator<IntegrityError> {
    for (const seq of [...this.tables.journal.rows.getKeys({ reverse: true })]) {
      const entry = readOrUndefined(() => this.tables.journal.get(seq))
      if (entry && (entry.before || entry.after)) yield* this.errorsOf(entry)
    }
  }

  private *errorsOf(entry: JournalRow): Generator<IntegrityError> {
    const { table, id } = subjectOf(entry)
    const key = `${table} ${id}`
    const seen = this.seen.get(key) ?? new Set()
    if (seen === 'whole') return
    const row = readOrUndefined(() => this.tables[table].get(id))
    // The check of the tables names rows that can't be read.
    const exists = this.tables[table].has(id)
    const { before, after } = entry
    this.seen.set(key, before && after ? new Set([...seen, ...Object.keys(after)]) : 'whole')
    if (exists !== (after !== undefined) && seen.size === 0)
      yield this.wrongExistence(entry, exists ? row : undefined)
    else if (row && after) yield* this.wrongColumns(entry, row, after, seen)
  }

  private wrongExistence(entry: JournalRow, row: Row | undefined): IntegrityError {
    const { table, id } = subjectOf(entry)
    return {
      message: row
        ? `${table} ${id} exists, but was deleted according to the journal.`
        : `${table} ${id} doesn't exist, but was not deleted according to the journal.`,
      repair: () =>
        this.correct(entry, now => (now ? { after: journaledColumns(now) } : { before: entry.after ?? {} })),
    }
  }

  private *wrongColumns(
    entry: JournalRow,
    row: Row,
    after: JournaledColumns,
    seen: ReadonlySet<string>,
  ): Generator<IntegrityError> {
    const { table, id } = subjectOf(entry)
    for (const [column, value] of Object.entries(after)) {
      if (seen.has(column) || JSON.stringify(columnOf(row, column)) === JSON.stringify(value)) continue
      yield {
        message: `The ${column} of ${table} ${id} differs from the journal.`,
        repair: () =>
          this.correct(entry, now =>
            now ? { before: { [column]: value }, after: { [column]: columnOf(now, column) } } : {},
          ),
      }
    }
  }

  /** Journals how a record really is. The repair of another error may have changed it. */
  private correct(
    entry: JournalRow,
    columnsOf: (row: Row | undefined) => Pick<JournalRow, 'before' | 'after'>,
  ) {
    const { table, id } = subjectOf(entry)
    const columns = columnsOf(this.tables[table].get(id))
    this.tables.journal.insert({ at: this.now, actor: SYSTEM, [JOURNALED[table]]: id, ...columns })
  }
}

/** Compares the index of the next moments with the jobs. */
function* momentErrors({ moments }: Databases, { jobs }: Tables, now: number): Generator<IntegrityError> {
  const known = new Set<number>()
  for (const key of [...moments.getKeys()]) {
    const [at, id] = key
    const job = readOrUndefined(() => jobs.get(id))
    // It need not be the next one by this clock: one that has passed is journaled by the next write.
    if (job && momentAt(job, at)) known.add(id)
    else
      yield {
        message: `The index has a wrong moment of jobs ${id}: ${at}.`,
        repair: () => void moments.remove(key),
      }
  }
  for (const id of [...jobs.rows.getKeys()]) {
    const job: JobRow | undefined = known.has(id) ? undefined : readOrUndefined(() => jobs.get(id))
    const next = job && nextMoment(job, now)
    if (next)
      yield {
        message: `The index is missing the next moment of jobs ${id}.`,
        repair: () => void moments.put([next.at, id], 1),
      }
  }
}
