/** A question or its answer, with the number that they have in common. */
export type Numbered<T> = T & { readonly number: number }

/** What every answer may say: why it is none. */
export interface Answered {
  readonly failure?: string
}

/** The way to a program that runs apart. */
interface Line {
  send(question: object): void
  close(): void
}

/**
 * Starts a program.
 * @param hear told of its answers
 * @param fail told why there will be no more of them
 */
type Start = <A>(hear: (answer: A) => void, fail: (reason: string) => void) => Line

/**
 * Starts a program in a thread of its own, which hears of questions by `message` events.
 * @param program its path or URL
 */
export const inThread =
  (program: string): Start =>
  (hear, fail) => {
    const worker = new Worker(program, { ref: false, env: {} })
    worker.addEventListener('message', ({ data }) => hear(data))
    worker.addEventListener('error', ({ message }) => fail(message))
    return { send: question => worker.postMessage(question), close: () => worker.terminate() }
  }

/**
 * Starts a program in a process of its own, which hears of questions by the process's `message` events.
 * @param variables its whole environment: what this process has in its own, secrets among it, is not inherited
 */
export const inProcess =
  (command: readonly string[], variables: Readonly<Record<string, string>> = {}): Start =>
  (hear, fail) => {
    const child = Bun.spawn([...command], {
      env: { ...variables },
      ipc: hear,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit'],
      onExit: (_, status, signal) => fail(`it ended with ${signal ?? status}`),
    })
    child.unref()
    return { send: question => child.send(question), close: () => child.kill('SIGKILL') }
  }

/** A program that runs apart, as something to ask. It answers every question, under the question's number. */
export class Apart<Q extends object, A extends Answered> {
  private readonly line: Line
  private readonly waiting = new Map<number, PromiseWithResolvers<A>>()
  private asked = 0
  private ended: Error | undefined

  /**
   * @param complaint the beginning of what is said when it fails
   * @param deadline milliseconds for an answer: a program that takes longer is ended, and does no more
   */
  constructor(
    start: Start,
    private readonly complaint: string,
    private readonly deadline?: number,
  ) {
    this.line = start<Numbered<A>>(
      answer => this.settle(answer),
      reason => this.fail(reason),
    )
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
    this.line.send({ ...question, number })
    return this.deadline === undefined ? waiting.promise : this.within(this.deadline, waiting.promise)
  }

  /** Ends it. Whoever waits is told so. */
  end(reason = 'it was closed'): void {
    this.fail(reason)
    this.line.close()
  }

  private within(deadline: number, answer: Promise<A>): Promise<A> {
    const timer = setTimeout(() => this.end(`it gave no answer for ${deadline} ms`), deadline)
    return answer.finally(() => clearTimeout(timer))
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
