import { Problem } from './problem.ts'

/** Seconds after which a stopped server is probably there again. */
const RETRY_AFTER = 5

/** Runs tasks that take longer than a request, such as an import. Closing stops them. */
export class LongTasks {
  private readonly stopping = new AbortController()
  private readonly running = new Map<string, Promise<unknown>>()

  /** Returns whether a task of this kind is running. */
  isRunning(kind: string): boolean {
    return this.running.has(kind)
  }

  /** Returns the number of running tasks whose kinds begin so. */
  countRunning(prefix: string): number {
    return [...this.running.keys()].filter(kind => kind.startsWith(prefix)).length
  }

  /**
   * Runs a task. Throws an Error if one of the same kind is running already.
   * @param work gets a signal that is aborted when the board closes, with a Problem 'busy' as the reason
   */
  run<T>(kind: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.isRunning(kind)) throw new Error(`the task ${kind} is running already`)
    const task = work(this.stopping.signal).finally(() => this.running.delete(kind))
    this.running.set(kind, task)
    return task
  }

  /** Stops all tasks, and waits for their end. */
  async close(): Promise<void> {
    const message = 'The board is stopping. Please try again.'
    this.stopping.abort(new Problem('busy', message, { retryAfter: RETRY_AFTER }))
    await Promise.allSettled(this.running.values())
  }
}
