import { Problem } from './problem.ts'

/** While others are waiting, every fourth turn goes to a suspect. */
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
   * @param retryAfter seconds after which it is worth trying again
   */
  constructor(
    private free: number,
    private readonly maxWaiting: number,
    private readonly busyMessage: string,
    private readonly retryAfter: number,
  ) {}

  /**
   * Runs a task when its turn comes.
   * @param isSuspect puts the task in a second queue, which gets one turn in four while others are waiting: it may be
   * part of a flood
   * @throws Problem 'busy' if too many are waiting, and whatever the task throws
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
      throw new Problem('busy', this.busyMessage, { retryAfter: this.retryAfter })
    return new Promise(resolve => queue.push(resolve))
  }
}
