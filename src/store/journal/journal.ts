import { floorToSecond } from '../../base/clock.ts'
import type { Databases } from '../databases.ts'
import type { JobRow } from '../rows.ts'
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

/** The columns that are never journaled. */
const SECRET_COLUMNS: ReadonlySet<string> = new Set(['id', 'passwordHash'])
/** The columns that leave the journal when the record is deleted. */
const PERSONAL_COLUMNS = { users: ['email'], subscribers: ['email'] } as const

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
    if (!change.after && (table === 'users' || table === 'subscribers')) this.removePersonalData(table, id)
  }

  /** Finds the next moments of all jobs, in a store without a journal. */
  findMoments(now: number): void {
    this.now = now
    for (const jobs of this.tables.jobs.batches(BATCH_SIZE))
      for (const job of jobs) this.moveMoment(undefined, job)
  }

  private recordMoment([at, id]: [number, number]) {
    void this.moments.remove([at, id])
    const job = this.tables.jobs.get(id)
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

  private removePersonalData(table: keyof typeof PERSONAL_COLUMNS, id: number) {
    const { journal } = this.tables
    const names: ReadonlySet<string> = new Set(PERSONAL_COLUMNS[table])
    for (const seq of journal.idsWhere(JOURNALED[table], id)) {
      const entry = journal.get(seq)
      if (!entry) continue
      const { before, after } = entry
      journal.update(entry, {
        ...(before && { before: without(before, names) }),
        ...(after && { after: without(after, names) }),
      })
    }
  }
}

const isJournaled = (change: Change): change is JournaledChange => change.table in JOURNALED

/** Returns the columns of a new or deleted row, and otherwise those that differ. */
function differenceOf({ before, after }: JournaledChange): {
  before?: JournaledColumns
  after?: JournaledColumns
} {
  if (!before || !after) {
    return {
      ...(before && { before: without(before, SECRET_COLUMNS) }),
      ...(after && { after: without(after, SECRET_COLUMNS) }),
    }
  }
  const [old, now] = [new Map(Object.entries(before)), Object.entries(after)]
  const changed = now.filter(([name, value]) => value !== old.get(name) && !SECRET_COLUMNS.has(name))
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, old.get(name)])),
    after: Object.fromEntries(changed),
  }
}

const without = (columns: object, names: ReadonlySet<string>): JournaledColumns =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => !names.has(name)))
