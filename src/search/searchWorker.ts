import { isBuilt } from '../config/version.ts'
import { spawnThread, WorkerClient } from '../worker/workerClient.ts'
import type { SearchRequest, SearchResponse } from './indexer.ts'
import type { SynonymGroup } from './synonyms.ts'

/** The path of the thread's program, which the executable contains under its path in the source. */
const PROGRAM = isBuilt ? './src/search/indexer.ts' : new URL('./indexer.ts', import.meta.url).href
/** In milliseconds, how long a thread must run to count as working. */
const PROVEN_AFTER = 60_000
/** In milliseconds, the delay before a thread that died sooner is restarted. It doubles each time. */
const FIRST_DELAY = 500
const LONGEST_DELAY = 60_000

/** The options of a worker. */
export interface WorkerOptions {
  /** The path of the index file; undefined if none is stored. */
  readonly file: string | undefined
  /** Called when a thread has started, with the hashes of the jobs that it read from the file, by id. */
  readonly started: (hashes: Map<number, number>) => void
  /** Called if the file can't be used, or a thread has died. */
  readonly warn: (message: string, cause: unknown) => void
}

/** Runs the thread of the index, which handles one request after another. If it dies, another one is started. */
export class SearchWorker {
  private thread = spawn()
  private spawnedAt = performance.now()
  private delay = 0
  private start: Promise<void>
  private synonyms: readonly SynonymGroup[] = []
  private isStarting = true
  private isClosed = false

  constructor(private readonly options: WorkerOptions) {
    this.start = this.prepare()
    // Those who wait for the thread get the error.
    this.start.catch(() => undefined)
  }

  /** Whether the thread has died or was closed. */
  get hasEnded(): boolean {
    return this.thread.hasEnded
  }

  /** Waits for a thread that has read the file. Starts one if the last one died. */
  async ready(): Promise<void> {
    if (this.hasEnded && !this.isClosed && !this.isStarting) this.start = this.restart()
    await this.start
  }

  /** @throws Error if the thread fails, or has ended */
  request(request: SearchRequest): Promise<SearchResponse> {
    return this.thread.request(request)
  }

  /** Sets the synonyms of this thread and of those that replace it. */
  async setSynonyms(synonyms: readonly SynonymGroup[]): Promise<void> {
    this.synonyms = synonyms
    if (!this.isStarting && !this.hasEnded) await this.request({ synonyms })
  }

  /** Stops the thread. Those who wait for it get an error. */
  close(): void {
    this.isClosed = true
    this.thread.close()
  }

  private async restart() {
    this.isStarting = true
    const { delay } = this
    this.options.warn('the search index stopped, and is started again', `after ${delay} ms`)
    const isProven = performance.now() - this.spawnedAt > PROVEN_AFTER
    this.delay = isProven ? 0 : Math.min(LONGEST_DELAY, Math.max(FIRST_DELAY, delay * 2))
    if (!isProven && delay > 0) await Bun.sleep(delay)
    if (this.isClosed) return
    this.thread = spawn()
    this.spawnedAt = performance.now()
    await this.prepare()
  }

  private async prepare() {
    const hashes = await this.readFile()
    this.isStarting = false
    // If the thread has died in the meantime, the next request gets the error.
    if (this.synonyms.length > 0) await this.setSynonyms(this.synonyms).catch(() => undefined)
    // The store may be closed by now, too.
    if (!this.isClosed) this.options.started(hashes)
  }

  /** Reads the file. If that fails, the index is rebuilt: every job counts as changed. */
  private async readFile(): Promise<Map<number, number>> {
    const byId = new Map<number, number>()
    if (this.options.file === undefined) return byId
    try {
      const { hashes = [] } = await this.request({ read: this.options.file })
      for (let at = 0; at < hashes.length; at += 2) byId.set(hashes[at] ?? 0, hashes[at + 1] ?? 0)
    } catch (error) {
      if (!this.isClosed)
        this.options.warn('the search index is made anew, as its file could not be used', error)
    }
    return byId
  }
}

const spawn = () =>
  new WorkerClient<SearchRequest, SearchResponse>(spawnThread(PROGRAM), 'the search index failed')
