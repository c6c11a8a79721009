import type { FunnelCounts, ViewsRow } from '../store/countRows.ts'
import type { Store } from '../store/store.ts'

/** The number of rows that are read at a time, so that other work isn't held up. */
const BATCH_SIZE = 250

/** The stored totals of all jobs, in memory to rank them quickly. They are loaded when they are first needed. */
export class JobTotals {
  private readonly totals = new Map<number, FunnelCounts>()
  private loading: Promise<void> | undefined

  constructor(private readonly store: Store) {}

  /** Loads the totals, once. */
  load(): Promise<void> {
    return (this.loading ??= this.readAll())
  }

  get(jobId: number): FunnelCounts | undefined {
    return this.totals.get(jobId)
  }

  /** Adds or replaces the totals of a row that was stored. */
  set({ id, impressions, views, applyClicks }: ViewsRow): void {
    if (this.loading) this.totals.set(id, { impressions, views, applyClicks })
  }

  remove(jobId: number): void {
    this.totals.delete(jobId)
  }

  private async readAll() {
    for (const rows of this.store.read.views.batches(BATCH_SIZE)) {
      for (const row of rows) this.set(row)
      await Bun.sleep(0)
    }
  }
}
