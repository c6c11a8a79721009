import type { SearchableJob } from './fields.ts'
import type { Found } from './ranking.ts'
import { SaveSchedule } from './saveSchedule.ts'
import type { SearchSource } from './searchSource.ts'
import { SearchWorker } from './searchWorker.ts'
import type { SynonymGroup } from './synonyms.ts'

export type { Found, SearchableJob }

/** In milliseconds, how long jobs are read before other work gets its turn. */
const SLICE = 2
/** The number of jobs that the thread gets at a time. A search waits at least for one such slice. */
const HANDED_AT_ONCE = 64
/** The source of an index: a `SearchSource`, or a substitute in tests. */
export type Source = Pick<SearchSource, 'look' | 'hashes'> & Partial<Pick<SearchSource, 'caughtUp'>>

const NOTHING: Found = { ids: new Float64Array(), match: 'some', corrected: undefined }

/**
 * Searches jobs by their words. The index is in a separate thread, which gets changes in slices, one after another, so that
 * requests don't wait for the indexing.
 */
export class SearchIndex {
  private readonly worker: SearchWorker
  private isReady = false
  private isCatchingUp = false
  /** The ids of jobs that may have changed, in order. */
  private readonly queue = new Set<number>()
  /** The number of jobs that were added to the queue, and the number that are done, since the start. */
  private queued = 0
  private done = 0
  private slice: Promise<void> | undefined
  private readonly saving: SaveSchedule | undefined
  private isClosed = false

  /**
   * @param warn called if a job could not be indexed, or the file or the thread failed
   * @param file the path of the index file; undefined to store none
   */
  constructor(
    private readonly source: Source,
    private readonly warn: (message: string, cause: unknown) => void,
    file?: string,
  ) {
    this.saving = file === undefined ? undefined : new SaveSchedule(() => this.save(file))
    this.worker = new SearchWorker({ file, warn, started: hashes => this.catchUp(hashes) })
  }

  /** Records that these jobs may have changed. Returns at once; they are indexed later. */
  markChanged(ids: Iterable<number>): void {
    if (this.isClosed) return
    const before = this.queue.size
    for (const id of ids) this.queue.add(id)
    this.queued += this.queue.size - before
    this.wake()
  }

  /** Whether a search would have to wait for changes. */
  get isBehind(): boolean {
    return !this.isReady || this.worker.hasEnded || this.done < this.queued
  }

  /** Sets the synonyms of all further searches. */
  async setSynonyms(synonyms: readonly SynonymGroup[]): Promise<void> {
    await this.worker.setSynonyms(synonyms)
  }

  /**
   * Returns the matching jobs, best first. Waits for earlier changes to be indexed, but not for later ones.
   * @throws whatever `look` throws
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

  /** Stops indexing, and writes the file. Waiting and later searches find nothing. */
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

  /** Waits until the thread has indexed all earlier changes. If it died, they are sent to a new one. */
  private async follow(): Promise<void> {
    do {
      await this.worker.ready()
      const before = this.queued
      while (this.done < before && !this.isClosed && !this.worker.hasEnded) await this.work()
    } while (this.worker.hasEnded && !this.isClosed)
  }

  /** Adds the jobs to the queue that a new thread doesn't have, or has in another version. */
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
    // Waiting searches get the error. The jobs stay in the queue, and the next search tries again.
    if (this.queue.size > 0) this.work().catch(() => undefined)
    else this.rest()
  }

  /** Does what can wait until there are no changes. */
  private rest() {
    if (this.isCatchingUp) this.source.caughtUp?.()
    this.isCatchingUp = false
    this.saving?.plan(this.done)
  }

  /** Indexes the next slice. All who wait for it share the promise. */
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

  /** Reads jobs for as long as a slice may take. If reading one fails, those before it are indexed anyway. */
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
      if (!this.isClosed) this.warn('a job could not be indexed', error)
    } finally {
      this.done += put.length + remove.length
    }
  }

  /** Writes the file. If that fails, the index is rebuilt at the next start. */
  private async save(file: string) {
    try {
      await this.worker.request({ write: file })
    } catch (error) {
      this.warn('the search index could not be written', error)
    }
  }
}
