import type { SearchableJob } from './fields.ts'
import { SearchWorker } from './searchWorker.ts'

export type { SearchableJob }

/** How long jobs are looked up before others get their turn, in milliseconds. */
const SLICE = 2
/** Jobs that are handed to the thread at a time; a search waits for as many at least. */
const HANDED_AT_ONCE = 64

/**
 * Finds jobs by their words. The index is kept by a thread of its own, which is told in slices of what changed, so that
 * nobody else waits for it, and of the next slice only when it has done the one before.
 */
export class SearchIndex {
  private readonly thread = new SearchWorker()
  /** Jobs that may have changed, in the order in which they came. */
  private readonly queue = new Set<number>()
  /** How many jobs were put into the queue, and how many are done with, since the beginning. */
  private queued = 0
  private done = 0
  private slice: Promise<void> | undefined
  private closed = false

  /**
   * @param look gives the job as it is now, or undefined if it is not to be found
   * @param failed told where a job could not be taken in; the others are
   */
  constructor(
    private readonly look: (id: number) => SearchableJob | undefined,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Says that these jobs may have changed. Returns at once; the work is done later. */
  markChanged(ids: Iterable<number>): void {
    if (this.closed) return
    const before = this.queue.size
    for (const id of ids) this.queue.add(id)
    this.queued += this.queue.size - before
    this.wake()
  }

  /** Whether there is something that a search would wait for. */
  get isBehind(): boolean {
    return this.done < this.queued
  }

  /**
   * Ids of the jobs that match, best first. Waits for what was touched before, not for what comes later.
   * @throws what `look` throws
   */
  async search(q: string): Promise<readonly number[]> {
    const before = this.queued
    while (this.done < before && !this.closed) await this.work()
    if (this.closed) return []
    return Array.from(await this.thread.search(q))
  }

  /** Stops following. Searches that wait fail, later ones find nothing. */
  close(): void {
    this.closed = true
    this.queue.clear()
    this.thread.end()
  }

  private wake() {
    // A failure is told to the searches that wait. The jobs keep their place, and whoever comes next tries again
    if (this.queue.size > 0) this.work().catch(() => undefined)
  }

  /** The next slice, the same for everybody who waits for it. */
  private work(): Promise<void> {
    this.slice ??= this.takeTurn()
    return this.slice
  }

  private async takeTurn() {
    try {
      await new Promise(resolve => setImmediate(resolve))
      const { put, remove } = this.take()
      if (put.length + remove.length > 0) await this.hand(put, remove)
    } finally {
      this.slice = undefined
    }
    this.wake()
  }

  /** Looks jobs up for as long as a slice may take. What was looked up before a failure is handed on all the same. */
  private take() {
    const put: SearchableJob[] = []
    const remove: number[] = []
    const end = performance.now() + SLICE
    try {
      for (const id of this.queue) {
        const job = this.look(id)
        this.queue.delete(id)
        if (job) put.push(job)
        else remove.push(id)
        if (put.length + remove.length >= HANDED_AT_ONCE || performance.now() >= end) break
      }
    } catch (error) {
      if (put.length + remove.length === 0) throw error
    }
    return { put, remove }
  }

  private async hand(put: readonly SearchableJob[], remove: readonly number[]) {
    try {
      await this.thread.update(put, remove)
    } catch (error) {
      if (!this.closed) this.failed(error)
    } finally {
      this.done += put.length + remove.length
    }
  }
}
