import { Apart, inThread } from '../base/apart.ts'
import { isBuilt } from '../config/version.ts'
import type { Answer, Question } from './indexer.ts'
import type { Searchable } from './texts.ts'

/** Where the thread's program is: in the executable under its path in the sources. */
const PROGRAM = isBuilt ? './src/search/indexer.ts' : new URL('./indexer.ts', import.meta.url).href

/** The index's thread. It does one thing after another. */
export class IndexThread {
  private readonly thread = new Apart<Question, Answer>(inThread(PROGRAM), 'the search index failed')

  /** Has it follow jobs. */
  async follow(put: readonly Searchable[], remove: readonly number[]): Promise<void> {
    await this.thread.ask({ put, remove })
  }

  /** Has it search, in what it was told before. */
  async search(q: string): Promise<Float64Array> {
    const { ids } = await this.thread.ask({ q })
    return ids ?? new Float64Array()
  }

  /** Ends it. Whoever waits is told so. */
  end(): void {
    this.thread.end()
  }
}
