import { type Batch, BATCH_SIZE, readBatch } from './batch.ts'
import { outdatedIds } from './outdatedIds.ts'
import { SaveScheduler } from './saveScheduler.ts'
import type { SearchSource } from './searchableJob.ts'
import type { SearchResult, SynonymGroup } from './searchMessages.ts'
import { SearchThread } from './searchThread.ts'

/** In milliseconds, how long changes wait for others, because a batch takes less time than its jobs one by one. */
const BATCH_DELAY = 20
/** In milliseconds, the time until memory is released, which would delay the first searches. */
const RELEASE_DELAY = 500

const NO_RESULTS: SearchResult = { ids: new Float64Array(), match: 'some', corrected: undefined }

/**
 * Searches jobs by their words. The index is in a separate thread, which gets changes in batches, one after another, so that
 * requests don't wait for the indexing.
 */
export class SearchIndex {
  private isReady = false
  private isSynchronizing = false
  /** Whether a job could not be read or indexed since the start. */
  private hasFailed = false
  /** The ids of jobs that may have changed, in order. */
  private readonly queue = new Set<number>()
  /** The number of jobs that were added to the queue, and the number that are done, since the start. */
  private queued = 0
  private done = 0
  private batch: Promise<void> | undefined
  private timer: Timer | undefined
  private readonly saves: SaveScheduler | undefined
  private isClosed = false

  /**
   * @param warn called if a job could not be read or indexed, or the file or the thread failed
   * @param thread the thread of the index, which is started
   * @param completeFile the checksum of a file with all jobs, except those whose status time has changed since
   */
  constructor(
    private readonly source: SearchSource,
    private readonly warn: (message: string, cause: unknown) => void,
    private readonly thread = new SearchThread({ file: undefined, warn }),
    private completeFile?: string,
  ) {
    const { file } = thread
    if (file !== undefined)
      this.saves = new SaveScheduler(async () => (await thread.request({ write: file })).checksum, warn)
    thread.start(checksum => this.synchronize(checksum))
  }

  /** Records that these jobs may have changed. Returns at once; they are indexed later. */
  markChanged(ids: Iterable<number>): void {
    if (this.isClosed) return
    const before = this.queue.size
    for (const id of ids) this.queue.add(id)
    this.queued += this.queue.size - before
    this.continueIndexing()
  }

  /** Whether a search would have to wait for changes. */
  get isBehind(): boolean {
    return !this.isReady || this.thread.hasEnded || this.done < this.queued
  }

  /** The number of jobs whose changes are not indexed yet. */
  get backlog(): number {
    return this.queued - this.done
  }

  /** Sets the synonyms of all further searches. */
  async setSynonyms(synonyms: readonly SynonymGroup[]): Promise<void> {
    await this.thread.setSynonyms(synonyms)
  }

  /** Returns the matching jobs, best first. Waits for earlier changes to be indexed, but not for later ones. */
  async search(q: string): Promise<SearchResult> {
    await this.waitForChanges()
    try {
      return await this.request(q)
    } catch (error) {
      if (!this.thread.hasEnded || this.isClosed) throw error
      await this.waitForChanges()
      return await this.request(q)
    }
  }

  /**
   * Stops indexing, and writes the file. Waiting and later searches find nothing.
   * @returns the checksum of the file if it has all jobs
   */
  async close(): Promise<string | undefined> {
    await this.indexRest().catch(error => this.warn('the last changes could not be indexed', error))
    const isComplete = !this.isBehind && !this.hasFailed
    this.isClosed = true
    this.queue.clear()
    clearTimeout(this.timer)
    if (!this.thread.hasEnded) await this.saves?.close(this.done)
    this.thread.close()
    return isComplete ? this.saves?.checksum : undefined
  }

  /** Indexes the last changes if they are few. Many are indexed at the next start. */
  private async indexRest() {
    if (!this.isReady || this.queue.size > BATCH_SIZE) return
    while (this.done < this.queued && !this.thread.hasEnded) await this.indexBatch()
  }

  private async request(q: string): Promise<SearchResult> {
    if (this.isClosed) return NO_RESULTS
    const { result } = await this.thread.request({ q })
    return result ?? NO_RESULTS
  }

  /** Waits until the thread has indexed all earlier changes. If it died, they are sent to a new one. */
  private async waitForChanges(): Promise<void> {
    do {
      await this.thread.ready()
      const before = this.queued
      while (this.done < before && !this.isClosed && !this.thread.hasEnded) await this.indexBatch()
    } while (this.thread.hasEnded && !this.isClosed)
  }

  /** Adds the jobs to the queue that a new thread doesn't have, or has in another version. */
  private async synchronize(checksum: string | undefined) {
    const isComplete = checksum !== undefined && checksum === this.completeFile
    // The changes since the start may be newer than the file of a later thread.
    this.completeFile = undefined
    if (this.saves) this.saves.checksum = checksum
    this.isSynchronizing = true
    if (isComplete) this.source.refresh?.()
    else {
      const indexed = checksum === undefined ? {} : await this.thread.request({ hashes: true })
      if (this.isClosed) return
      this.markChanged(outdatedIds(indexed.hashes, this.source.hashes()))
    }
    this.isReady = true
    this.continueIndexing()
  }

  /** Indexes a full batch now, and fewer jobs after a delay, unless a search waits for them. */
  private continueIndexing() {
    if (this.queue.size === 0) this.finishIndexing()
    else if (this.queue.size >= BATCH_SIZE) this.startBatch()
    else this.timer ??= setTimeout(() => this.startBatch(), BATCH_DELAY)
  }

  /** If the thread fails, waiting searches get the error. The jobs stay in the queue, and the next search tries again. */
  private startBatch() {
    if (this.queue.size > 0) this.indexBatch().catch(() => undefined)
  }

  /** Does what can wait until there are no changes. */
  private finishIndexing() {
    if (this.isSynchronizing) setTimeout(() => this.releaseMemory(), RELEASE_DELAY).unref()
    this.isSynchronizing = false
    this.saves?.schedule(this.done)
  }

  private releaseMemory() {
    if (!this.isClosed) this.source.releaseMemory?.()
  }

  /** Indexes the next batch. All who wait for it share the promise. */
  private indexBatch(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.batch ??= this.readAndSendBatch()
    return this.batch
  }

  private async readAndSendBatch() {
    try {
      await this.thread.ready()
      await new Promise(resolve => setImmediate(resolve))
      const batch = readBatch(this.queue, this.source, (id, error) =>
        this.reportFailure(`job ${id} can't be read, and searches don't find it until it is changed`, error),
      )
      if (batch.put.length + batch.remove.length > 0) await this.sendBatch(batch)
    } finally {
      this.batch = undefined
    }
    this.continueIndexing()
  }

  private async sendBatch(batch: Batch) {
    try {
      await this.thread.request({ ...batch })
    } catch (error) {
      this.reportFailure('a job could not be indexed', error)
    } finally {
      this.done += batch.put.length + batch.remove.length
    }
  }

  private reportFailure(message: string, error: unknown) {
    this.hasFailed = true
    if (!this.isClosed) this.warn(message, error)
  }
}
