import { isBuilt } from '../config/version.ts'
import { spawnThread, WorkerClient } from '../worker/workerClient.ts'
import type { SearchableJob } from './fields.ts'
import type { SearchRequest, SearchResponse } from './indexer.ts'

/** Where the thread's program is: in the executable under its path in the sources. */
const PROGRAM = isBuilt ? './src/search/indexer.ts' : new URL('./indexer.ts', import.meta.url).href

/** The index's thread. It does one thing after another. */
export class SearchWorker {
  private readonly thread = new WorkerClient<SearchRequest, SearchResponse>(
    spawnThread(PROGRAM),
    'the search index failed',
  )

  /** Has it follow jobs. */
  async update(put: readonly SearchableJob[], remove: readonly number[]): Promise<void> {
    await this.thread.request({ put, remove })
  }

  /** Has it search, in what it was told before. */
  async search(q: string): Promise<Float64Array> {
    const { ids } = await this.thread.request({ q })
    return ids ?? new Float64Array()
  }

  /** Ends it. Whoever waits is told so. */
  end(): void {
    this.thread.close()
  }
}
