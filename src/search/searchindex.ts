import { Postings, type Searchable } from './postings.ts'
import { ranked } from './ranking.ts'

export type { Searchable }

/** How long the index is worked on before others get their turn, in milliseconds. */
const SLICE = 5

/** Finds jobs by their words. Follows what it is told of in slices, so that nobody else waits long for it. */
export class SearchIndex {
  private readonly postings = new Postings()
  /** Jobs that may have changed, in the order in which they came. */
  private readonly queue = new Set<number>()
  /** How many jobs were put into the queue, and how many left it, since the beginning. */
  private queued = 0
  private done = 0
  private slice: Promise<void> | undefined
  private closed = false

  /** @param look gives the job as it is now, or undefined if it is not to be found */
  constructor(private readonly look: (id: number) => Searchable | undefined) {}

  /** Says that these jobs may have changed. Returns at once; the work is done later. */
  touch(ids: Iterable<number>): void {
    if (this.closed) return
    for (const id of ids) this.queue.add(id)
    this.queued = this.done + this.queue.size
    this.wake()
  }

  /**
   * Ids of the jobs that match, best first. Waits for what was touched before, not for what comes later.
   * @throws what `look` throws
   */
  async search(q: string): Promise<readonly number[]> {
    const before = this.queued
    while (this.done < before) await this.work()
    return ranked(q, this.postings)
  }

  /** Stops following; what waits is answered from what is there. */
  close(): void {
    this.closed = true
    this.done = this.queued
    this.queue.clear()
  }

  private wake() {
    // A failure is told to the searches that wait. The job keeps its place, and whoever comes next tries again
    if (this.queue.size > 0) this.work().catch(() => undefined)
  }

  /** The next slice, the same for everybody who waits for it. */
  private work(): Promise<void> {
    this.slice ??= this.takeTurn()
    return this.slice
  }

  private async takeTurn() {
    await new Promise(resolve => setImmediate(resolve))
    this.slice = undefined
    const end = performance.now() + SLICE
    for (const id of this.queue) {
      this.follow(id)
      this.queue.delete(id)
      this.done++
      if (performance.now() >= end) break
    }
    this.wake()
  }

  private follow(id: number) {
    const job = this.look(id)
    if (job) this.postings.put(job)
    else this.postings.remove(id)
  }
}
