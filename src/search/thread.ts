import { isBuilt } from '../config/version.ts'
import type { Answer, Numbered, Question } from './indexer.ts'
import type { Searchable } from './postings.ts'

/** Where the thread's program is: in the executable under its path in the sources. */
const PROGRAM = isBuilt ? './src/search/indexer.ts' : new URL('./indexer.ts', import.meta.url).href

/** The index's thread, as something to ask. It does one thing after another. */
export class Thread {
  private readonly worker = new Worker(PROGRAM, { ref: false })
  private readonly waiting = new Map<number, PromiseWithResolvers<Answer>>()
  private asked = 0
  private ended: Error | undefined

  constructor() {
    this.worker.addEventListener('message', ({ data }: MessageEvent<Numbered<Answer>>) => this.settle(data))
    this.worker.addEventListener('error', ({ message }) => this.fail(message))
  }

  /** Has it follow jobs. */
  async follow(put: readonly Searchable[], remove: readonly number[]): Promise<void> {
    await this.ask({ put, remove })
  }

  /** Has it search, in what it was told before. */
  async search(q: string): Promise<Float64Array> {
    const { ids } = await this.ask({ q })
    return ids ?? new Float64Array()
  }

  /** Ends it. Whoever waits is told so. */
  end(): void {
    this.fail('it was closed')
    this.worker.terminate()
  }

  private ask(question: Question): Promise<Answer> {
    if (this.ended) return Promise.reject(this.ended)
    const number = ++this.asked
    const waiting = Promise.withResolvers<Answer>()
    this.waiting.set(number, waiting)
    this.worker.postMessage({ ...question, number })
    return waiting.promise
  }

  private settle({ number, ...answer }: Numbered<Answer>) {
    const waiting = this.waiting.get(number)
    this.waiting.delete(number)
    if (answer.failure === undefined) waiting?.resolve(answer)
    else waiting?.reject(new Error(`the search index failed: ${answer.failure}`))
  }

  private fail(reason: string) {
    this.ended ??= new Error(`the search index failed: ${reason}`)
    for (const { reject } of this.waiting.values()) reject(this.ended)
    this.waiting.clear()
  }
}
