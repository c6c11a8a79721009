import { floorToSecond, SECOND } from '../../base/clock.ts'
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
  /** No moment is before this time, which is at most a second ahead. This spares most transactions a look into the index. */
  private quietUntil = -Infinity

  constructor(
    private readonly tables: Tables,
    /** The next moment of each job, as [time, id]. */
    private readonly moments: Databases['moments'],
  ) {}

  /** Starts a transaction: first, everything that has happened without a request until now is journaled. */
  begin(actor: Actor, now: number): void {
    this.now = now
    this.actor = SYSTEM
    if (now >= this.quietUntil) this.recordDueMoments(now)
    this.actor = actor
  }

  /** Returns the next moment of a job, as time and id, if its time has come. */
  nextDue(now: number): [at: number, jobId: number] | undefined {
    const first = this.firstMoment
    return first && first[0] <= now ? first : undefined
  }

  /** Journals a change, unless the row is the same as before. */
  record(change: Change): void {
    if (!isJournaled(change)) return
    const { table, id } = change
    const columns = differenceOf(change)
    const names = Object.keys(columns.after ?? columns.before ?? {})
    if (names.length === 0) return
    const { types, publicType } = meaningOf(change, names, this.now)
    const [type, ...further] = types
    const whole = { ...(type && { type }), ...(publicType && { publicType }), ...columns }
    this.add(table, id, whole, ...further.map(another => ({ type: another })))
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

  private get firstMoment(): [at: number, jobId: number] | undefined {
    const [first] = this.moments.getKeys({ limit: 1 })
    return first
  }

  private recordDueMoments(now: number) {
    const first = this.firstMoment?.[0] ?? Infinity
    // If something is due, the next transaction looks again, because this one may be rolled back.
    this.quietUntil = first <= now ? -Infinity : Math.min(first, now + SECOND)
    if (first > now) return
    for (let due = this.nextDue(now); due; due = this.nextDue(now)) this.recordMoment(due)
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
    if (next) this.putMoment(next.at, id)
  }

  private moveMoment(before: JobRow | undefined, after: JobRow | undefined) {
    const from = before && nextMoment(before, this.now)?.at
    const to = after && nextMoment(after, this.now)?.at
    if (from === to) return
    const id = (after ?? before)?.id ?? 0
    if (from !== undefined) void this.moments.remove([from, id])
    if (to !== undefined) this.putMoment(to, id)
  }

  private putMoment(at: number, id: number) {
    void this.moments.put([at, id], 1)
    this.quietUntil = Math.min(this.quietUntil, at)
  }

  private add(
    table: JournaledTable,
    id: number,
    ...entries: readonly Pick<JournalRow, 'type' | 'publicType' | 'before' | 'after'>[]
  ) {
    const all = { at: floorToSecond(this.now), actor: this.actor, [JOURNALED[table]]: id }
    this.tables.journal.insertAll(entries.map(entry => ({ ...all, ...entry })))
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
  return typeof columnOf(before, column) === 'string' && typeof columnOf(after, column) !== 'string'
}

/** Returns a column of a row by its name. */
export const columnOf = (row: object | undefined, column: string): unknown =>
  // Every journaled row can be read by the names of its columns.
  (row as JournaledColumns | undefined)?.[column]

/** Returns columns without the text of one. Null stays, because it is what replaced the text. */
function withoutText(columns: JournaledColumns, column: string): JournaledColumns {
  const { [column]: text, ...others } = columns
  return typeof text === 'string' ? others : columns
}

const isJournaled = (change: Change): change is JournaledChange => change.table in JOURNALED

/** Returns the columns of a row that the journal may have: not the id, which each entry has, nor a password. */
export function journaledColumns(row: Row & { readonly passwordHash?: string }): JournaledColumns {
  const { id: _id, passwordHash: _hash, ...columns } = row
  return columns
}

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
function changedColumns(old: object, now: object) {
  const before: Record<string, unknown> = {}
  const after: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(now)) {
    if (value === columnOf(old, name) || name === 'id' || name === 'passwordHash') continue
    before[name] = columnOf(old, name)
    after[name] = value
  }
  return { before, after }
}
