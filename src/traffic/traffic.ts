import { type Clock, DAY, SECOND } from '../base/clock.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import {
  DailyCounter,
  type DailyCounts,
  needsTruncating,
  NO_COUNTS,
  truncate,
  type Visit,
  type VisitReader,
} from './dailyCounts.ts'

/** How long a count may wait to be stored; what is left of the ten seconds that a crash may cost is for storing it. */
const FLUSH_DELAY = 9 * SECOND
/** Visits are counted so many at a time: counted together they take half the time that each takes on its own. */
const BATCH = 32
/** In days. */
const RETENTION_DAYS = 400

/** How often a job was read. */
interface Views {
  count: number
  hasChanged: boolean
}

/**
 * Counts visits by day, and views by job. It counts in memory, which is right at any moment, and stores what changed
 * now and then. Addresses and user agents it forgets as it stores.
 */
export class Traffic {
  private pending: { readonly day: number; readonly visits: Visit[] } = { day: 0, visits: [] }
  /** Today, and days that are not stored yet. */
  private readonly days = new Map<number, DailyCounter>()
  /** Of every job that was ever read. */
  private readonly views: Map<number, Views>
  private truncatedOn = -Infinity
  private timer: Timer | undefined
  private flushing = Promise.resolve()
  private isClosed = false

  /** @param onFlushError told why counts could not be stored; they are kept */
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly reader: VisitReader,
    private readonly onFlushError: (error: unknown) => void,
  ) {
    const rows = store.read.views.all()
    this.views = new Map(rows.map(({ id, views }) => [id, { count: views, hasChanged: false }]))
  }

  /** Takes note of a visit, which is counted unless it is a bot's. */
  count(visit: Visit): void {
    const { today } = this
    if (today !== this.pending.day || this.pending.visits.length === BATCH) this.countPending(today)
    this.pending.visits.push(visit)
    this.flushSoon()
  }

  /** Days since 1970, UTC. */
  get today(): number {
    return Math.floor(this.clock() / DAY)
  }

  /** What was counted on a day, by its number since 1970. */
  countsOn(day: number): DailyCounts {
    this.countPending()
    return this.days.get(day) ?? this.store.read.days.get(day) ?? NO_COUNTS
  }

  /** How often a job was read by others than its owner and administrators. */
  viewsOf(jobId: number): number {
    this.countPending()
    return this.views.get(jobId)?.count ?? 0
  }

  /** Forgets the views of a job that is gone; the store did so by itself. */
  removeJob(jobId: number): void {
    this.countPending()
    this.views.delete(jobId)
  }

  /** Stores what was counted since it was stored last. */
  async flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.flushing = this.flushing.then(() => this.storeChanged())
    await this.flushing
  }

  /** Stores what was counted; what comes after is lost. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.flush()
  }

  private flushSoon() {
    if (this.timer === undefined && !this.isClosed)
      this.timer = setTimeout(() => void this.flush(), FLUSH_DELAY)
  }

  /** Counts what was noted, and begins anew. */
  private countPending(today = this.pending.day) {
    const { day: id, visits } = this.pending
    this.pending = { day: today, visits: [] }
    if (visits.length === 0) return
    const day = this.openDay(id)
    for (const visit of visits) if (day.count(visit) && visit.jobId !== undefined) this.countView(visit.jobId)
  }

  private countView(jobId: number) {
    const views = this.views.get(jobId)
    if (!views) {
      this.views.set(jobId, { count: 1, hasChanged: true })
      return
    }
    views.count++
    views.hasChanged = true
  }

  private openDay(id: number): DailyCounter {
    const known = this.days.get(id)
    if (known) return known
    const day = new DailyCounter(id, this.store.read.days.get(id), this.reader)
    this.days.set(id, day)
    return day
  }

  private async storeChanged(): Promise<void> {
    const { today } = this
    this.countPending()
    for (const day of this.days.values()) day.clearCaches()
    const days = [...this.days.values()].filter(takeChanged)
    const views = [...this.views].filter(([, job]) => takeChanged(job))
    if (days.length === 0) return
    try {
      await this.store.write(tables => {
        for (const day of days) tables.days.put(day.row)
        for (const [id, { count }] of views) if (tables.jobs.has(id)) tables.views.put({ id, views: count })
        if (this.truncatedOn !== today) truncatePastDays(tables, today)
      })
      this.truncatedOn = today
    } catch (error) {
      for (const one of [...days, ...views.map(([, job]) => job)]) one.hasChanged = true
      this.flushSoon()
      this.onFlushError(error)
    }
    for (const [id, day] of this.days) if (id !== this.today && !day.hasChanged) this.days.delete(id)
  }
}

/** Whether something changed since it was asked before. */
function takeChanged(thing: { hasChanged: boolean }): boolean {
  const { hasChanged } = thing
  thing.hasChanged = false
  return hasChanged
}

/** Shortens the days that are over, and removes those that nobody can ask for any more. */
function truncatePastDays({ days }: Tables, today: number): void {
  for (const row of days.all())
    if (row.id < today - RETENTION_DAYS) days.remove(row.id)
    else if (row.id < today && needsTruncating(row)) days.put(truncate(row))
}
