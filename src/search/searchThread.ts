import { isBuilt } from '../config/version.ts'
import { spawnThread, WorkerClient } from '../worker/workerClient.ts'
import type { SearchRequest, SearchResponse, SynonymGroup } from './searchMessages.ts'

/** The path of the thread's program, which the executable contains under its path in the source. */
const PROGRAM = isBuilt ? './src/search/searchWorker.ts' : new URL('./searchWorker.ts', import.meta.url).href
/** In milliseconds, how long a thread must run to count as stable. */
const STABLE_AFTER = 60_000
/** In milliseconds, the delay before a thread that died sooner is restarted. It doubles each time. */
const FIRST_DELAY = 500
const MAX_DELAY = 60_000

/** The options of a search thread. */
export interface SearchThreadOptions {
  /** The path of the index file; undefined if none is stored. */
  readonly file: string | undefined
  /** Called if the file can't be used, or a thread has died. */
  readonly warn: (message: string, cause: unknown) => void
}

/** Runs the thread of the index, which handles one request after another. If it dies, another one is started. */
export class SearchThread {
  /** Called when a thread has started, with the hashes of the jobs that it read from the file, by id. */
  onStart: (hashes: Map<number, number>) => void = () => undefined
  private client = spawn()
  private spawnedAt = performance.now()
  private delay = 0
  private start: Promise<void>
  private synonyms: readonly SynonymGroup[] = []
  private isStarting = true
  private isClosed = false

  constructor(private readonly options: SearchThreadOptions) {
    this.start = this.prepare()
    // Those who wait for the thread get the error.
    this.start.catch(() => undefined)
  }

  /** The path of the index file; undefined if none is stored. */
  get file(): string | undefined {
    return this.options.file
  }

  /** Whether the thread has died or was closed. */
  get hasEnded(): boolean {
    return this.client.hasEnded
  }

  /** Waits for a thread that has read the file. Starts one if the last one died. */
  async ready(): Promise<void> {
    if (this.hasEnded && !this.isClosed && !this.isStarting) this.start = this.restart()
    await this.start
  }

  /** @throws Error if the thread fails, or has ended */
  request(request: SearchRequest): Promise<SearchResponse> {
    return this.client.request(request)
  }

  /** Sets the synonyms of this thread and of those that replace it. */
  async setSynonyms(synonyms: readonly SynonymGroup[]): Promise<void> {
    this.synonyms = synonyms
    if (!this.isStarting && !this.hasEnded) await this.request({ synonyms })
  }

  /** Stops the thread. Those who wait for it get an error. */
  close(): void {
    this.isClosed = true
    this.client.close()
  }

  private async restart() {
    this.isStarting = true
    const { delay } = this
    this.options.warn('the search index crashed and is being restarted', `after ${delay} ms`)
    const wasStable = performance.now() - this.spawnedAt > STABLE_AFTER
    this.delay = wasStable ? 0 : Math.min(MAX_DELAY, Math.max(FIRST_DELAY, delay * 2))
    if (!wasStable && delay > 0) await Bun.sleep(delay)
    if (this.isClosed) return
    this.client = spawn()
    this.spawnedAt = performance.now()
    await this.prepare()
  }

  private async prepare() {
    const hashes = await this.readFile()
    this.isStarting = false
    // If the thread has died in the meantime, the next request gets the error.
    if (this.synonyms.length > 0) await this.setSynonyms(this.synonyms).catch(() => undefined)
    // The store may be closed by now, too.
    if (!this.isClosed) this.onStart(hashes)
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
        this.options.warn("the search index is being rebuilt, because its file can't be used", error)
    }
    return byId
  }
}

const spawn = () =>
  new WorkerClient<SearchRequest, SearchResponse>(spawnThread(PROGRAM), 'the search index failed')
