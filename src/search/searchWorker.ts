import { isBuilt } from '../config/version.ts'
import { spawnThread, WorkerClient } from '../worker/workerClient.ts'
import type { SearchRequest, SearchResponse } from './indexer.ts'
import type { SynonymGroup } from './synonyms.ts'

/** Where the thread's program is: in the executable under its path in the sources. */
const PROGRAM = isBuilt ? './src/search/indexer.ts' : new URL('./indexer.ts', import.meta.url).href
/** Milliseconds after which a thread counts as one that works. */
const PROVEN_AFTER = 60_000
/** Milliseconds for which one that died sooner is not started again; twice as long each time. */
const FIRST_DELAY = 500
const LONGEST_DELAY = 60_000

/** What a worker needs to know of its board. */
export interface WorkerOptions {
  /** Where the index is kept while no board is open; undefined if it is kept nowhere. */
  readonly file: string | undefined
  /** Told when a thread is there, with the hash of each job that it knows from the file, by the job's id. */
  readonly started: (hashes: Map<number, number>) => void
  /** Told if the file can't be used, or a thread died. */
  readonly warn: (message: string, cause: unknown) => void
}

/** The index's thread, which does one thing after another. One that dies is followed by another. */
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
    // whoever waits for it is told
    this.start.catch(() => undefined)
  }

  /** Whether the thread died, or was closed. */
  get hasEnded(): boolean {
    return this.thread.hasEnded
  }

  /** Waits until there is a thread that knows what is in the file. Starts one if the last one died. */
  async ready(): Promise<void> {
    if (this.hasEnded && !this.isClosed && !this.isStarting) this.start = this.restart()
    await this.start
  }

  /** @throws Error if the thread fails, or has ended */
  request(request: SearchRequest): Promise<SearchResponse> {
    return this.thread.request(request)
  }

  /** Has it search with these from now on, and every thread that follows it. */
  async setSynonyms(synonyms: readonly SynonymGroup[]): Promise<void> {
    this.synonyms = synonyms
    if (!this.isStarting && !this.hasEnded) await this.request({ synonyms })
  }

  /** Ends it. Whoever waits is told so. */
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
    // it may have died meanwhile: whoever asks next is told so
    if (this.synonyms.length > 0) await this.setSynonyms(this.synonyms).catch(() => undefined)
    // what it follows may be closed by now too
    if (!this.isClosed) this.options.started(hashes)
  }

  /** What can't be read is made anew: every job counts as changed. */
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
