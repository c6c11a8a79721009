import { Semaphore } from './semaphore.ts'

/** Runs one task at a time for each key. A bounded number of others wait for their turn. */
export class KeyedSemaphore {
  private readonly semaphores = new Map<string, { readonly semaphore: Semaphore; users: number }>()

  /**
   * @param maxWaiting how many tasks may wait under one key
   * @param busyMessage the message with which further tasks are refused
   */
  constructor(
    private readonly maxWaiting: number,
    private readonly busyMessage: string,
  ) {}

  /**
   * Runs a task when its turn under the key comes.
   * @throws Problem 'busy' if too many are waiting, and the task's own errors
   */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const entry = this.semaphores.get(key) ?? {
      semaphore: new Semaphore(1, this.maxWaiting, this.busyMessage),
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
