import type { FunnelCounts, FunnelStep } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { JobCounter } from './jobCounter.ts'

export const NO_FUNNEL_COUNTS: FunnelCounts = { impressions: 0, views: 0, applyClicks: 0 }

/** The number of different lists that are counted together. */
const MAX_LISTS = 1000
/** The number of jobs whose counts are stored in one transaction, so that other work isn't held up for long. */
const BATCH_SIZE = 500

/** Counts impressions, views and apply clicks by job. Only counts that are not stored yet are in memory. */
export class JobCounters {
  private readonly open = new Map<number, JobCounter>()
  /** How often each list was shown. A list is shown many times, so its jobs are counted later, all at once. */
  private readonly lists = new Map<readonly number[], number>()

  constructor(private readonly store: Store) {}

  count(jobId: number, step: FunnelStep): void {
    this.counterOf(jobId).add(step)
  }

  /** Counts an impression of each job in a list. The same array is counted fastest. */
  countList(ids: readonly number[]): void {
    if (this.lists.size >= MAX_LISTS) this.countLists()
    this.lists.set(ids, (this.lists.get(ids) ?? 0) + 1)
  }

  /** Returns how often each step happened, ever. */
  countsOf(jobId: number): FunnelCounts {
    this.countLists()
    return this.open.get(jobId)?.totals ?? this.store.read.views.get(jobId) ?? NO_FUNNEL_COUNTS
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
    await this.store.write(tables => {
      for (const counter of counters) {
        counter.hasChanged = false
        if (tables.jobs.has(counter.id)) tables.views.put(counter.row)
      }
    })
    for (const { id, hasChanged } of counters) if (!hasChanged) this.open.delete(id)
  }

  private countLists() {
    for (const [ids, times] of this.lists) for (const id of ids) this.counterOf(id).add('impression', times)
    this.lists.clear()
  }

  private counterOf(jobId: number): JobCounter {
    const open = this.open.get(jobId)
    if (open) return open
    const counter = new JobCounter(jobId, this.store.read.views.get(jobId))
    this.open.set(jobId, counter)
    return counter
  }
}
