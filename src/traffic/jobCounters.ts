import type { FunnelCounts, FunnelStep, KeyCounts } from '../store/countRows.ts'
import type { Store } from '../store/store.ts'
import type { Visitor } from './dailyCounts.ts'
import { JobCounter } from './jobCounter.ts'
import { daysOf } from './jobDays.ts'

export const NO_FUNNEL_COUNTS: FunnelCounts = { impressions: 0, views: 0, applyClicks: 0 }

/** The number of different lists that are counted together. */
const MAX_LISTS = 1000
/** The number of jobs whose counts are stored in one transaction, so that other work isn't held up for long. */
const BATCH_SIZE = 500

/** What is known about the visitors of a job. */
export interface JobTraffic {
  /** The counts of each day that has any, by its number since 1970. */
  readonly days: ReadonlyMap<number, FunnelCounts>
  /** The sources and countries of its views, whatever the day. Rare ones may be missing. */
  readonly sources: KeyCounts
  readonly countries: KeyCounts
}

/** Counts impressions, views and apply clicks by job. Only counts that are not stored yet are in memory. */
export class JobCounters {
  private readonly open = new Map<number, JobCounter>()
  /** How often each list was shown on a day. Its jobs are counted later, once for all times that it was shown. */
  private readonly lists = new Map<readonly number[], number>()
  private listDay = 0

  constructor(private readonly store: Store) {}

  count(jobId: number, step: FunnelStep, day: number, { origin, country }: Visitor): void {
    const counter = this.counterOf(jobId, day)
    counter.add(step, day)
    if (step === 'view' && country) counter.addOrigin(origin.host, country.name)
  }

  /** Counts an impression of each job in a list. The same array is counted fastest. */
  countList(ids: readonly number[], day: number): void {
    if (day !== this.listDay || this.lists.size >= MAX_LISTS) this.countLists()
    this.listDay = day
    this.lists.set(ids, (this.lists.get(ids) ?? 0) + 1)
  }

  /** Returns how often each step happened, ever. */
  countsOf(jobId: number): FunnelCounts {
    this.countLists()
    return this.open.get(jobId)?.totals ?? this.store.read.views.get(jobId) ?? NO_FUNNEL_COUNTS
  }

  trafficOf(jobId: number): JobTraffic {
    this.countLists()
    const { views, jobDays } = this.store.read
    const [row, days] = [views.get(jobId), jobDays.get(jobId)]
    const { sources = [], countries = [] } = this.open.get(jobId) ?? row ?? {}
    const recent = this.open.get(jobId)?.recentDays ?? (row?.latest ? [row.latest] : [])
    const all = [...(days ? daysOf(days) : []), ...recent]
    return { days: new Map(all.map(counts => [counts.day, counts])), sources, countries }
  }

  /** Removes a deleted job from memory; the store has removed its rows. */
  remove(jobId: number): void {
    this.countLists()
    this.open.delete(jobId)
  }

  /** Stores the counts that changed, in several transactions, and removes them from memory. */
  async storeChanged(): Promise<void> {
    this.countLists()
    const changed = [...this.open.values()]
    for (let at = 0; at < changed.length; at += BATCH_SIZE)
      await this.storeBatch(changed.slice(at, at + BATCH_SIZE))
  }

  private async storeBatch(counters: readonly JobCounter[]) {
    const storedDays = await this.store.write(tables =>
      counters.map(counter => {
        counter.hasChanged = false
        return counter.store(tables)
      }),
    )
    // Counts that were added since then stay in memory.
    for (const [at, counter] of counters.entries())
      if (counter.hasChanged) counter.past.splice(0, storedDays[at])
      else this.open.delete(counter.id)
  }

  private countLists() {
    for (const [ids, times] of this.lists)
      for (const id of ids) this.counterOf(id, this.listDay).add('impression', this.listDay, times)
    this.lists.clear()
  }

  private counterOf(jobId: number, day: number): JobCounter {
    const open = this.open.get(jobId)
    if (open) return open
    const counter = new JobCounter(jobId, this.store.read.views.get(jobId), day)
    this.open.set(jobId, counter)
    return counter
  }
}
