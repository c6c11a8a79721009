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

/** Called when a thread has started, with the checksum of the file that it read; undefined if it couldn't read any. */
type OnStart = (checksum: string | undefined) => Promise<void>

/** Runs the thread of the index, which reads its file at once, and then handles one request after another. If it dies, another one is started. */
export class SearchThread {
  private client = spawn()
  private spawnedAt = performance.now()
  private delay = 0
  /** The checksum of the file that the thread has read; undefined if it couldn't read any. */
  private checksum: Promise<string | undefined>
  private onStart: OnStart = async () => undefined
  private started = Promise.resolve()
  private synonyms: readonly SynonymGroup[] = []
  private isStarting = true
  private isClosed = false

  constructor(private readonly options: SearchThreadOptions) {
    this.checksum = this.readFile()
  }

  /** Lets the thread handle requests as soon as it has read the file and `onStart` is done. Call this once. */
  start(onStart: OnStart): void {
    this.onStart = onStart
    this.started = this.prepare()
    // Those who wait for the thread get the error.
    this.started.catch(() => undefined)
  }

  /** The path of the index file; undefined if none is stored. */
  get file(): string | undefined {
    return this.options.file
  }

  /** Whether the thread has died or was closed. */
  get hasEnded(): boolean {
    return this.client.hasEnded
  }

  /** Waits for a thread that has started. Starts one if the last one died. */
  async ready(): Promise<void> {
    if (this.hasEnded && !this.isClosed && !this.isStarting) this.started = this.restart()
    await this.started
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
    this.checksum = this.readFile()
    await this.prepare()
  }

  private async prepare() {
    const checksum = await this.checksum
    this.isStarting = false
    // If the thread has died in the meantime, the next request gets the error.
    if (this.synonyms.length > 0) await this.setSynonyms(this.synonyms).catch(() => undefined)
    // The store may be closed by now, too.
    if (!this.isClosed) await this.onStart(checksum)
  }

  /** Reads the file, and returns its checksum. If that fails, the index is rebuilt: every job counts as changed. */
  private async readFile(): Promise<string | undefined> {
    if (this.options.file === undefined) return undefined
    try {
      const { checksum } = await this.request({ read: this.options.file })
      return checksum
    } catch (error) {
      if (!this.isClosed)
        this.options.warn("the search index is being rebuilt, because its file can't be used", error)
      return undefined
    }
  }
}

const spawn = () =>
  new WorkerClient<SearchRequest, SearchResponse>(spawnThread(PROGRAM), 'the search index failed')
