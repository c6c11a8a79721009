import { Problem } from './problem.ts'

/** Seconds after which a refused task is worth trying again. */
const RETRY_AFTER = 2
/** While both kinds of tasks are waiting, every fourth turn goes to a suspect one. */
const SUSPECT_INTERVAL = 4

/** Limits how many tasks run at a time. A bounded number of others wait for their turn, in order of arrival. */
export class Semaphore {
  private readonly queue: (() => void)[] = []
  private readonly suspects: (() => void)[] = []
  private turns = 0

  /**
   * @param free how many tasks may run at once
   * @param maxWaiting how many tasks may wait, and how many suspect tasks in addition; further tasks are refused
   * @param busyMessage the message when a task is refused
   */
  constructor(
    private free: number,
    private readonly maxWaiting: number,
    private readonly busyMessage: string,
  ) {}

  /**
   * Runs a task when its turn comes.
   * @param isSuspect puts the task, which may be part of a flood, in a second queue with fewer turns
   * @throws Problem 'busy' if too many are waiting, and the task's own errors
   */
  async run<T>(task: () => Promise<T>, isSuspect = false): Promise<T> {
    if (this.free > 0) this.free--
    else await this.enqueue(isSuspect ? this.suspects : this.queue)
    try {
      return await task()
    } finally {
      const next = this.next()
      if (next) next()
      else this.free++
    }
  }

  private next(): (() => void) | undefined {
    this.turns++
    return this.turns % SUSPECT_INTERVAL === 0
      ? (this.suspects.shift() ?? this.queue.shift())
      : (this.queue.shift() ?? this.suspects.shift())
  }

  private enqueue(queue: (() => void)[]): Promise<void> {
    if (queue.length >= this.maxWaiting)
      throw new Problem('busy', this.busyMessage, { retryAfter: RETRY_AFTER })
    return new Promise(resolve => queue.push(resolve))
  }
}
