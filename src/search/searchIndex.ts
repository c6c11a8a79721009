import type { SearchableJob } from './fields.ts'
import type { Found } from './ranking.ts'
import { SaveSchedule } from './saveSchedule.ts'
import type { SearchSource } from './searchSource.ts'
import { SearchWorker } from './searchWorker.ts'
import type { SynonymGroup } from './synonyms.ts'

export type { Found, SearchableJob }

/** How long jobs are looked up before others get their turn, in milliseconds. */
const SLICE = 2
/** Jobs that are handed to the thread at a time; a search waits for as many at least. */
const HANDED_AT_ONCE = 64
/** What an index follows: `SearchSource`, but for tests. */
export type Source = Pick<SearchSource, 'look' | 'hashes'> & Partial<Pick<SearchSource, 'caughtUp'>>

const NOTHING: Found = { ids: new Float64Array(), match: 'some', corrected: undefined }

/**
 * Finds jobs by their words. The index is kept by a thread of its own, which is told in slices of what changed, so that
 * nobody else waits for it, and of the next slice only when it has done the one before.
 */
export class SearchIndex {
  private readonly worker: SearchWorker
  private isReady = false
  private isCatchingUp = false
  /** Jobs that may have changed, in the order in which they came. */
  private readonly queue = new Set<number>()
  /** How many jobs were put into the queue, and how many are done with, since the beginning. */
  private queued = 0
  private done = 0
  private slice: Promise<void> | undefined
  private readonly saving: SaveSchedule | undefined
  private isClosed = false

  /**
   * @param warn told where a job could not be taken in, and where the file or the thread failed
   * @param file where the index is kept while no board is open; undefined to keep it nowhere
   */
  constructor(
    private readonly source: Source,
    private readonly warn: (message: string, cause: unknown) => void,
    file?: string,
  ) {
    this.saving = file === undefined ? undefined : new SaveSchedule(() => this.save(file))
    this.worker = new SearchWorker({ file, warn, started: hashes => this.catchUp(hashes) })
  }

  /** Says that these jobs may have changed. Returns at once; the work is done later. */
  markChanged(ids: Iterable<number>): void {
    if (this.isClosed) return
    const before = this.queue.size
    for (const id of ids) this.queue.add(id)
    this.queued += this.queue.size - before
    this.wake()
  }

  /** Whether there is something that a search would wait for. */
  get isBehind(): boolean {
    return !this.isReady || this.worker.hasEnded || this.done < this.queued
  }

  /** Has searches know these from now on. */
  async setSynonyms(synonyms: readonly SynonymGroup[]): Promise<void> {
    await this.worker.setSynonyms(synonyms)
  }

  /**
   * The jobs that match, best first. Waits for what changed before, not for what comes later.
   * @throws what `look` throws
   */
  async search(q: string): Promise<Found> {
    await this.follow()
    try {
      return await this.ask(q)
    } catch (error) {
      if (!this.worker.hasEnded || this.isClosed) throw error
      await this.follow()
      return await this.ask(q)
    }
  }

  /** Stops following, and has the file written. Searches that wait find nothing, and so do later ones. */
  async close(): Promise<void> {
    this.isClosed = true
    this.queue.clear()
    if (!this.worker.hasEnded) await this.saving?.end(this.done)
    this.worker.close()
  }

  private async ask(q: string): Promise<Found> {
    if (this.isClosed) return NOTHING
    const { found } = await this.worker.request({ q })
    return found ?? NOTHING
  }

  /** Waits until the thread knows all that changed before. One that died meanwhile has to be told anew. */
  private async follow(): Promise<void> {
    do {
      await this.worker.ready()
      const before = this.queued
      while (this.done < before && !this.isClosed && !this.worker.hasEnded) await this.work()
    } while (this.worker.hasEnded && !this.isClosed)
  }

  /** Puts into the queue what a thread that was started does not know, or knows otherwise. */
  private catchUp(known: Map<number, number>) {
    this.isReady = true
    this.isCatchingUp = true
    const changed: number[] = []
    for (const [id, hash] of this.source.hashes()) {
      if (known.get(id) !== hash) changed.push(id)
      known.delete(id)
    }
    this.markChanged([...changed, ...known.keys()])
  }

  private wake() {
    // A failure is told to the searches that wait. The jobs keep their place, and whoever comes next tries again
    if (this.queue.size > 0) this.work().catch(() => undefined)
    else this.rest()
  }

  /** What there is to do while nothing changes. */
  private rest() {
    if (this.isCatchingUp) this.source.caughtUp?.()
    this.isCatchingUp = false
    this.saving?.plan(this.done)
  }

  /** The next slice, the same for everybody who waits for it. */
  private work(): Promise<void> {
    this.slice ??= this.takeTurn()
    return this.slice
  }

  private async takeTurn() {
    try {
      await this.worker.ready()
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
        const job = this.source.look(id)
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
      await this.worker.request({ put, remove })
    } catch (error) {
      if (!this.isClosed) this.warn('a job could not be taken into the search', error)
    } finally {
      this.done += put.length + remove.length
    }
  }

  /** What can't be written is made anew at the next start. */
  private async save(file: string) {
    try {
      await this.worker.request({ write: file })
    } catch (error) {
      this.warn('the search index could not be written', error)
    }
  }
}
