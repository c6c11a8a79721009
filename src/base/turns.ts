import { Problem } from './problem.ts'

/** Has few work at a time, and a bounded number wait for their turn, in the order in which they came. */
export class Turns {
  private readonly waiting: (() => void)[] = []

  /**
   * @param free how many may work at once
   * @param waitingAtMost how many may wait; whoever comes on top of them is refused
   * @param refusal the sentence they are refused with
   * @param retryAfter seconds after which it is worth trying again
   */
  constructor(
    private free: number,
    private readonly waitingAtMost: number,
    private readonly refusal: string,
    private readonly retryAfter: number,
  ) {}

  /**
   * Does `work` when its turn has come.
   * @throws Problem 'busy' if too many wait already, and whatever `work` throws
   */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--
    else await this.place()
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.free++
    }
  }

  private place(): Promise<void> {
    if (this.waiting.length >= this.waitingAtMost)
      throw new Problem('busy', this.refusal, { retryAfter: this.retryAfter })
    return new Promise(resolve => this.waiting.push(resolve))
  }
}
