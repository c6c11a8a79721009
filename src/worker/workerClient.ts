/** A question or its answer, with the number that they have in common. */
export type Tagged<T> = T & { readonly number: number }

/** What every answer may say: why it is none. */
export interface WorkerResponse {
  readonly failure?: string
}

/** The way to a program that runs apart. */
interface Transport {
  send(question: object): void
  close(): void
}

/**
 * Starts a program.
 * @param hear told of its answers
 * @param fail told why there will be no more of them
 */
type StartWorker = <A>(hear: (answer: A) => void, fail: (reason: string) => void) => Transport

/**
 * Starts a program in a thread of its own, which hears of questions by `message` events.
 * @param program its path or URL
 */
export const spawnThread =
  (program: string): StartWorker =>
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
export const spawnProcess =
  (command: readonly string[], variables: Readonly<Record<string, string>> = {}): StartWorker =>
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
export class WorkerClient<Q extends object, A extends WorkerResponse> {
  private readonly transport: Transport
  private readonly pending = new Map<number, PromiseWithResolvers<A>>()
  private lastNumber = 0
  private failure: Error | undefined

  /**
   * @param errorPrefix the beginning of what is said when it fails
   * @param deadline milliseconds for an answer: a program that takes longer is ended, and does no more
   */
  constructor(
    start: StartWorker,
    private readonly errorPrefix: string,
    private readonly deadline?: number,
  ) {
    this.transport = start<Tagged<A>>(
      answer => this.handleResponse(answer),
      reason => this.fail(reason),
    )
  }

  /** Whether it answers nothing any more. */
  get hasEnded(): boolean {
    return this.failure !== undefined
  }

  /** @throws Error if it fails, or has ended */
  request(question: Q): Promise<A> {
    if (this.failure) return Promise.reject(this.failure)
    const number = ++this.lastNumber
    const waiting = Promise.withResolvers<A>()
    this.pending.set(number, waiting)
    this.transport.send({ ...question, number })
    return this.deadline === undefined ? waiting.promise : this.within(this.deadline, waiting.promise)
  }

  /** Ends it. Whoever waits is told so. */
  close(reason = 'it was closed'): void {
    this.fail(reason)
    this.transport.close()
  }

  private within(deadline: number, answer: Promise<A>): Promise<A> {
    const timer = setTimeout(() => this.close(`it gave no answer for ${deadline} ms`), deadline)
    return answer.finally(() => clearTimeout(timer))
  }

  private handleResponse({ number, ...answer }: Tagged<A>) {
    const waiting = this.pending.get(number)
    this.pending.delete(number)
    if (answer.failure !== undefined) waiting?.reject(new Error(`${this.errorPrefix}: ${answer.failure}`))
    // without the number it is the answer as it was given, which TypeScript can't tell of a generic A
    else waiting?.resolve(answer as unknown as A)
  }

  private fail(reason: string) {
    this.failure ??= new Error(`${this.errorPrefix}: ${reason}`)
    for (const { reject } of this.pending.values()) reject(this.failure)
    this.pending.clear()
  }
}
