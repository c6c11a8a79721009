/** A request or its response, with the id that they share. */
export type Tagged<T> = T & { readonly id: number }

/** A worker's response, with the reason if the request failed. */
export interface WorkerResponse {
  readonly failure?: string
}

/** The connection to a worker. */
interface Transport {
  send(request: object): void
  close(): void
}

/**
 * Starts a worker.
 * @param onResponse called with each response
 * @param onFailure called with the reason why there will be no further responses
 */
type StartWorker = <A>(onResponse: (response: A) => void, onFailure: (reason: string) => void) => Transport

/**
 * Starts a program in a thread of its own. It receives requests as `message` events.
 * @param program its path or URL
 */
export const spawnThread =
  (program: string): StartWorker =>
  (onResponse, onFailure) => {
    const worker = new Worker(program, { ref: false, env: {} })
    worker.addEventListener('message', ({ data }) => onResponse(data))
    worker.addEventListener('error', ({ message }) => onFailure(message))
    worker.addEventListener('close', () => onFailure('it ended'))
    return { send: request => worker.postMessage(request), close: () => worker.terminate() }
  }

/**
 * Starts a program in a process of its own. It receives requests as the process's `message` events.
 * @param variables its whole environment: it does not inherit this process's variables, which may contain secrets
 */
export const spawnProcess =
  (command: readonly string[], variables: Readonly<Record<string, string>> = {}): StartWorker =>
  (onResponse, onFailure) => {
    const child = Bun.spawn([...command], {
      env: { ...variables },
      ipc: onResponse,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit'],
      onExit: (_, status, signal) => onFailure(`it ended with ${signal ?? status}`),
    })
    child.unref()
    return { send: request => child.send(request), close: () => child.kill('SIGKILL') }
  }

/** Sends requests to a worker, which responds to each with the request's id. */
export class WorkerClient<Q extends object, A extends WorkerResponse> {
  private readonly transport: Transport
  private readonly pending = new Map<number, PromiseWithResolvers<A>>()
  private lastId = 0
  private failure: Error | undefined

  /**
   * @param errorPrefix begins the message of every error
   * @param timeout milliseconds for a response: a worker that takes longer is ended
   */
  constructor(
    start: StartWorker,
    private readonly errorPrefix: string,
    private readonly timeout?: number,
  ) {
    this.transport = start<Tagged<A>>(
      response => this.handleResponse(response),
      reason => this.fail(reason),
    )
  }

  /** Whether the worker responds no more. */
  get hasEnded(): boolean {
    return this.failure !== undefined
  }

  /** @throws Error if the request fails or the worker has ended */
  request(request: Q): Promise<A> {
    if (this.failure) return Promise.reject(this.failure)
    const id = ++this.lastId
    const response = Promise.withResolvers<A>()
    this.pending.set(id, response)
    this.transport.send({ ...request, id })
    return this.timeout === undefined ? response.promise : this.within(this.timeout, response.promise)
  }

  /** Ends the worker. Pending requests fail with the reason. */
  close(reason = 'it was closed'): void {
    this.fail(reason)
    this.transport.close()
  }

  private within(timeout: number, response: Promise<A>): Promise<A> {
    const timer = setTimeout(() => this.close(`it gave no response for ${timeout} ms`), timeout)
    return response.finally(() => clearTimeout(timer))
  }

  private handleResponse({ id, ...response }: Tagged<A>) {
    const pending = this.pending.get(id)
    this.pending.delete(id)
    if (response.failure !== undefined) pending?.reject(new Error(`${this.errorPrefix}: ${response.failure}`))
    // Without the id it is the response that the worker gave, which TypeScript can't tell of a generic type.
    else pending?.resolve(response as unknown as A)
  }

  private fail(reason: string) {
    this.failure ??= new Error(`${this.errorPrefix}: ${reason}`)
    for (const { reject } of this.pending.values()) reject(this.failure)
    this.pending.clear()
  }
}
