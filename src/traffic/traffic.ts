import { type Clock, DAY, SECOND } from '../base/clock.ts'
import type { FunnelCounts } from '../store/countRows.ts'
import { deleteInBatches } from '../store/deleteInBatches.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import {
  DailyCounter,
  type DailyCounts,
  needsTruncating,
  NO_COUNTS,
  truncate,
  type Visit,
  type Visitor,
  type VisitReader,
} from './dailyCounts.ts'
import { JobCounters, type JobTraffic } from './jobCounters.ts'
import { lastDayOf, RETENTION_DAYS } from './jobDays.ts'

/** How long a count may wait to be stored. A crash may lose ten seconds of counts, of which the rest is for storing. */
const FLUSH_DELAY = 8 * SECOND
/** How many visits are counted at a time: counted together they take half the time. */
const BATCH = 32

/**
 * Counts visits by day, and impressions, views and apply clicks by job. The counts in memory are always up to date; those that changed are stored now
 * and then. Addresses and user agents are removed from memory each time.
 */
export class Traffic {
  private pending: { readonly day: number; readonly visits: Visit[] } = { day: 0, visits: [] }
  /** Today, and the days that are not stored yet. */
  private readonly days = new Map<number, DailyCounter>()
  private readonly jobs: JobCounters
  private truncatedOn = -Infinity
  private cleanedOn = -Infinity
  private timer: Timer | undefined
  private flushing = Promise.resolve()
  private isFlushing = false
  /** Whether the last attempt to store counts failed. */
  private hasFailed = false
  private isClosed = false

  /** @param onFlushError called if counts can't be stored; they stay in memory */
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly reader: VisitReader,
    private readonly onFlushError: (error: unknown) => void,
  ) {
    this.jobs = new JobCounters(store)
  }

  /** Counts a visit, unless a bot made it. */
  count(visit: Visit): void {
    const { today } = this
    if (today !== this.pending.day || this.pending.visits.length === BATCH) this.countPending(today)
    this.pending.visits.push(visit)
    this.flushSoon()
  }

  /** The number of days since 1970, UTC. */
  get today(): number {
    return Math.floor(this.clock() / DAY)
  }

  /** The counts of a day, given its number since 1970. */
  countsOn(day: number): DailyCounts {
    this.countPending()
    return this.days.get(day) ?? this.store.read.days.get(day) ?? NO_COUNTS
  }

  /** How often people saw a job in a list, read it and clicked Apply, apart from its owner and administrators. */
  countsOf(jobId: number): FunnelCounts {
    this.countPending()
    return this.jobs.countsOf(jobId)
  }

  /** Loads the totals of all jobs, which makes `countsOf` quick for many jobs. */
  loadTotals(): Promise<void> {
    return this.jobs.loadTotals()
  }

  /** What is known about a job's visitors. */
  trafficOf(jobId: number): JobTraffic {
    this.countPending()
    return this.jobs.trafficOf(jobId)
  }

  /** Removes the counts of a deleted job from memory; the store has removed their rows. */
  removeJob(jobId: number): void {
    this.countPending()
    this.jobs.remove(jobId)
  }

  /** Stores the counts that changed. */
  async flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.isFlushing = true
    const flushing = this.flushing.then(() => this.storeChanged())
    this.flushing = flushing
    await flushing
    if (this.flushing === flushing) this.isFlushing = false
  }

  /** Stores the counts; visits after that are lost. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.flush()
  }

  private flushSoon() {
    if (this.timer === undefined && !this.isClosed)
      this.timer = setTimeout(() => void this.flush(), FLUSH_DELAY)
  }

  /** Counts the pending visits. */
  private countPending(today = this.pending.day) {
    const { day: id, visits } = this.pending
    if (visits.length === 0 && id === today) return
    this.pending = { day: today, visits: [] }
    const day = this.openDay(id)
    for (const visit of visits) {
      const visitor = day.count(visit)
      if (visitor) this.countForJobs(day, visit, visitor)
    }
    if (this.jobs.isFull && !this.isFlushing && !this.hasFailed) void this.flush()
  }

  private countForJobs(day: DailyCounter, { jobId, step = 'view', shown }: Visit, visitor: Visitor) {
    if (jobId !== undefined) {
      this.jobs.count(jobId, step, day.id, visitor)
      day.countStep(step, 1)
    }
    if (!shown) return
    this.jobs.countList(shown, day.id)
    day.countStep('impression', shown.length)
  }

  private openDay(id: number): DailyCounter {
    const open = this.days.get(id)
    if (open) return open
    const day = new DailyCounter(id, this.store.read.days.get(id), this.reader)
    this.days.set(id, day)
    return day
  }

  private async storeChanged(): Promise<void> {
    const { today } = this
    this.countPending()
    for (const day of this.days.values()) day.clearCaches()
    try {
      await this.storeDays(today)
      await this.jobs.storeChanged()
      await this.removeOldJobDays(today)
      this.hasFailed = false
    } catch (error) {
      this.hasFailed = true
      this.flushSoon()
      this.onFlushError(error)
    }
    for (const [id, day] of this.days) if (id !== this.today && !day.hasChanged) this.days.delete(id)
  }

  /** Removes, once a day, the days of jobs that no report can include any more. */
  private async removeOldJobDays(today: number) {
    if (this.cleanedOn === today) return
    await deleteInBatches(this.store, 'jobDays', row => lastDayOf(row) < today - RETENTION_DAYS)
    this.cleanedOn = today
  }

  private async storeDays(today: number) {
    const days = [...this.days.values()].filter(takeChanged)
    if (days.length === 0) return
    try {
      await this.store.write(tables => {
        for (const day of days) tables.days.put(day.row)
        if (this.truncatedOn !== today) truncatePastDays(tables, today)
      })
      this.truncatedOn = today
    } catch (error) {
      for (const day of days) day.hasChanged = true
      throw error
    }
  }
}

/** Whether counts have changed since the last call. */
function takeChanged(counts: { hasChanged: boolean }): boolean {
  const { hasChanged } = counts
  counts.hasChanged = false
  return hasChanged
}

/** Truncates the days that are over, and removes those that no report can include any more. */
function truncatePastDays({ days }: Tables, today: number): void {
  for (const row of days.all())
    if (row.id < today - RETENTION_DAYS) days.remove(row.id)
    else if (row.id < today && needsTruncating(row)) days.put(truncate(row))
}
