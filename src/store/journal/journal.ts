import { floorToSecond } from '../../base/clock.ts'
import type { Databases } from '../databases.ts'
import type { JobRow, Row } from '../rows.ts'
import type { Change, Tables } from '../tables.ts'
import { type JournaledChange, meaningOf } from './changeTypes.ts'
import { momentAt, nextMoment } from './jobMoments.ts'
import {
  type Actor,
  JOURNALED,
  type JournaledColumns,
  type JournaledTable,
  type JournalRow,
  SYSTEM,
} from './journalRow.ts'
import { readOrUndefined } from './readOrUndefined.ts'

/** The columns that are never journaled. */
const SECRET_COLUMNS: ReadonlySet<string> = new Set(['id', 'passwordHash'])
/** The columns with the address of a person. It leaves the journal when the record is deleted, or no longer needs one. */
const PERSONAL_COLUMNS: Readonly<Partial<Record<JournaledTable, string>>> = {
  users: 'email',
  subscribers: 'email',
  jobs: 'claimEmail',
}

/** The number of jobs that are read at a time. */
const BATCH_SIZE = 250

/** Writes the journal, inside the transaction of each change. */
export class Journal {
  private actor = SYSTEM
  private now = 0

  constructor(
    private readonly tables: Tables,
    /** The next moment of each job, as [time, id]. */
    private readonly moments: Databases['moments'],
  ) {}

  /** Starts a transaction: first, everything that has happened without a request until now is journaled. */
  begin(actor: Actor, now: number): void {
    this.now = now
    this.actor = SYSTEM
    for (let due = this.nextDue(now); due; due = this.nextDue(now)) this.recordMoment(due)
    this.actor = actor
  }

  /** Returns the next moment of a job, as time and id, if its time has come. */
  nextDue(now: number): [at: number, jobId: number] | undefined {
    const [next] = this.moments.getKeys({ limit: 1 })
    return next && next[0] <= now ? next : undefined
  }

  /** Journals a change. A row that was written without any difference is none. */
  record(change: Change): void {
    if (!isJournaled(change)) return
    const { table, id } = change
    const columns = differenceOf(change)
    const names = Object.keys(columns.after ?? columns.before ?? {})
    if (names.length === 0) return
    const { types, publicType } = meaningOf(change, names, this.now)
    const [type, ...further] = types
    this.add(table, id, { ...(type && { type }), ...(publicType && { publicType }), ...columns })
    for (const another of further) this.add(table, id, { type: another })
    if (change.table === 'jobs') this.moveMoment(change.before, change.after)
    const personal = PERSONAL_COLUMNS[table]
    if (personal && isErasing(change, personal)) this.removePersonalData(table, id, personal)
  }

  /** Journals what a migration did to a row. It has no type, because nothing happened on the board. */
  recordMigration(table: string, id: number, before: object, after: object, now: number): void {
    if (!(table in JOURNALED)) return
    this.now = now
    const columns = changedColumns(before, after)
    // The table is one of the journaled ones.
    if (Object.keys(columns.after).length > 0) this.add(table as JournaledTable, id, columns)
  }

  /** Finds the next moments of all jobs, in a store without a journal. */
  findMoments(now: number): void {
    this.now = now
    for (const jobs of this.tables.jobs.batches(BATCH_SIZE))
      for (const job of jobs) this.moveMoment(undefined, job)
  }

  private recordMoment([at, id]: [number, number]) {
    void this.moments.remove([at, id])
    // A damaged job must not keep others from being changed.
    const job = readOrUndefined(() => this.tables.jobs.get(id))
    const moment = job && momentAt(job, at)
    if (!moment) return
    const { type, publicType } = moment
    this.add('jobs', id, { type, ...(publicType && { publicType }) })
    const next = nextMoment(job, at)
    if (next) void this.moments.put([next.at, id], 1)
  }

  private moveMoment(before: JobRow | undefined, after: JobRow | undefined) {
    const [from, to] = [before, after].map(job => job && nextMoment(job, this.now)?.at)
    if (from === to) return
    const id = (after ?? before)?.id ?? 0
    if (from !== undefined) void this.moments.remove([from, id])
    if (to !== undefined) void this.moments.put([to, id], 1)
  }

  private add(
    table: JournaledTable,
    id: number,
    entry: Pick<JournalRow, 'type' | 'publicType' | 'before' | 'after'>,
  ) {
    const { now, actor } = this
    this.tables.journal.insert({ at: floorToSecond(now), actor, [JOURNALED[table]]: id, ...entry })
  }

  private removePersonalData(table: JournaledTable, id: number, column: string) {
    const { journal } = this.tables
    for (const seq of journal.idsWhere(JOURNALED[table], id)) {
      const entry = journal.get(seq)
      if (!entry) continue
      const [before, after] = [entry.before, entry.after].map(
        columns => columns && withoutText(columns, column),
      )
      if (before !== entry.before || after !== entry.after)
        journal.update(entry, { ...(before && { before }), ...(after && { after }) })
    }
  }
}

/** Whether a change removes the address of a person. */
function isErasing({ before, after }: JournaledChange, column: string): boolean {
  const [old, now] = [before, after].map(
    row => row && new Map<string, unknown>(Object.entries(row)).get(column),
  )
  return typeof old === 'string' && typeof now !== 'string'
}

/** Returns columns without the text of one. Null stays, because it is what replaced the text. */
const withoutText = (columns: JournaledColumns, column: string): JournaledColumns =>
  typeof columns[column] === 'string' ? without(columns, new Set([column])) : columns

const isJournaled = (change: Change): change is JournaledChange => change.table in JOURNALED

/** Returns the columns of a row that the journal may have. */
export const journaledColumns = (row: Row): JournaledColumns => without(row, SECRET_COLUMNS)

/** Returns the columns of a new or deleted row, and otherwise those that differ. */
function differenceOf({ before, after }: JournaledChange): {
  before?: JournaledColumns
  after?: JournaledColumns
} {
  if (!before || !after) {
    return {
      ...(before && { before: journaledColumns(before) }),
      ...(after && { after: journaledColumns(after) }),
    }
  }
  return changedColumns(before, after)
}

/** Returns the columns of a row that differ from those before, and those before. */
function changedColumns(before: object, after: object) {
  const [old, now] = [new Map<string, unknown>(Object.entries(before)), Object.entries(after)]
  const changed = now.filter(([name, value]) => value !== old.get(name) && !SECRET_COLUMNS.has(name))
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, old.get(name)])),
    after: Object.fromEntries(changed),
  }
}

const without = (columns: object, names: ReadonlySet<string>): JournaledColumns =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => !names.has(name)))
