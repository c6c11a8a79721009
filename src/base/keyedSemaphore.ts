import { Semaphore } from './semaphore.ts'

/** For each key, has one work at a time, while a bounded number wait for their turn. */
export class KeyedSemaphore {
  private readonly semaphores = new Map<string, { readonly turns: Semaphore; users: number }>()

  /**
   * @param maxWaiting how many may wait under one key
   * @param refusal the sentence that others are refused with
   * @param retryAfter seconds after which it is worth trying again
   */
  constructor(
    private readonly maxWaiting: number,
    private readonly refusal: string,
    private readonly retryAfter: number,
  ) {}

  /**
   * Does `work` when its turn under the key has come.
   * @throws Problem 'busy' if too many wait already, and whatever `work` throws
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.semaphores.get(key) ?? {
      turns: new Semaphore(1, this.maxWaiting, this.refusal, this.retryAfter),
      users: 0,
    }
    this.semaphores.set(key, line)
    line.users++
    try {
      return await line.turns.run(work)
    } finally {
      line.users--
      if (line.users === 0) this.semaphores.delete(key)
    }
  }
}
