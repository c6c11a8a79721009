import { Semaphore } from './semaphore.ts'

/** Runs one task at a time for each key, while a bounded number wait for their turn. */
export class KeyedSemaphore {
  private readonly semaphores = new Map<string, { readonly semaphore: Semaphore; users: number }>()

  /**
   * @param maxWaiting how many tasks may wait under one key
   * @param busyMessage the message with which further tasks are refused
   * @param retryAfter seconds after which it is worth trying again
   */
  constructor(
    private readonly maxWaiting: number,
    private readonly busyMessage: string,
    private readonly retryAfter: number,
  ) {}

  /**
   * Runs a task when its turn under the key comes.
   * @throws Problem 'busy' if too many are waiting, and whatever the task throws
   */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const entry = this.semaphores.get(key) ?? {
      semaphore: new Semaphore(1, this.maxWaiting, this.busyMessage, this.retryAfter),
      users: 0,
    }
    this.semaphores.set(key, entry)
    entry.users++
    try {
      return await entry.semaphore.run(task)
    } finally {
      entry.users--
      if (entry.users === 0) this.semaphores.delete(key)
    }
  }
}
