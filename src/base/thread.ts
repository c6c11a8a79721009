/** A question or its answer, with the number that they have in common. */
export type Numbered<T> = T & { readonly number: number }

/** What every answer may say: why it is none. */
export interface Answered {
  readonly failure?: string
}

/** A program in a thread of its own, as something to ask. It answers every question, under the question's number. */
export class Thread<Q extends object, A extends Answered> {
  private readonly worker: Worker
  private readonly waiting = new Map<number, PromiseWithResolvers<A>>()
  private asked = 0
  private ended: Error | undefined

  /**
   * @param program its path or URL
   * @param complaint the beginning of what is said when it fails
   */
  constructor(
    program: string,
    private readonly complaint: string,
  ) {
    this.worker = new Worker(program, { ref: false })
    this.worker.addEventListener('message', ({ data }: MessageEvent<Numbered<A>>) => this.settle(data))
    this.worker.addEventListener('error', ({ message }) => this.fail(message))
  }

  /** Whether it answers nothing any more. */
  get hasEnded(): boolean {
    return this.ended !== undefined
  }

  /** @throws Error if it fails, or has ended */
  ask(question: Q): Promise<A> {
    if (this.ended) return Promise.reject(this.ended)
    const number = ++this.asked
    const waiting = Promise.withResolvers<A>()
    this.waiting.set(number, waiting)
    this.worker.postMessage({ ...question, number })
    return waiting.promise
  }

  /** Ends it. Whoever waits is told so. */
  end(): void {
    this.fail('it was closed')
    this.worker.terminate()
  }

  private settle({ number, ...answer }: Numbered<A>) {
    const waiting = this.waiting.get(number)
    this.waiting.delete(number)
    if (answer.failure !== undefined) waiting?.reject(new Error(`${this.complaint}: ${answer.failure}`))
    // without the number it is the answer as it was given, which TypeScript can't tell of a generic A
    else waiting?.resolve(answer as unknown as A)
  }

  private fail(reason: string) {
    this.ended ??= new Error(`${this.complaint}: ${reason}`)
    for (const { reject } of this.waiting.values()) reject(this.ended)
    this.waiting.clear()
  }
}
