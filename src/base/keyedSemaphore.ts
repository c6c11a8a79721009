import { Semaphore } from './semaphore.ts'

/** For each key, has one work at a time, while a bounded number wait for their turn. */
export class KeyedSemaphore {
  private readonly lines = new Map<string, { readonly turns: Semaphore; users: number }>()

  /**
   * @param waitingAtMost how many may wait under one key
   * @param refusal the sentence that others are refused with
   * @param retryAfter seconds after which it is worth trying again
   */
  constructor(
    private readonly waitingAtMost: number,
    private readonly refusal: string,
    private readonly retryAfter: number,
  ) {}

  /**
   * Does `work` when its turn under the key has come.
   * @throws Problem 'busy' if too many wait already, and whatever `work` throws
   */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key) ?? {
      turns: new Semaphore(1, this.waitingAtMost, this.refusal, this.retryAfter),
      users: 0,
    }
    this.lines.set(key, line)
    line.users++
    try {
      return await line.turns.run(work)
    } finally {
      line.users--
      if (line.users === 0) this.lines.delete(key)
    }
  }
}
