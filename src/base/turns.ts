import { Problem } from './problem.ts'

interface Limits {
  /** How many may work at once. */
  readonly atOnce: number
  /** How many may wait; whoever comes on top of them is refused. */
  readonly waitingAtMost: number
  /** The sentence they are refused with. */
  readonly refusal: string
  /** Seconds in which a full queue has surely moved on. */
  readonly retryAfter: number
}

/** Has few work at a time, and a bounded number wait for their turn, in the order in which they came. */
export class Turns {
  private working = 0
  private readonly waiting: (() => void)[] = []

  constructor(private readonly limits: Limits) {}

  /**
   * Does `work` when its turn has come.
   * @throws Problem 'busy' if too many wait already, and whatever `work` throws
   */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.working < this.limits.atOnce) this.working++
    else await this.place()
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.working--
    }
  }

  private place(): Promise<void> {
    const { waitingAtMost, refusal, retryAfter } = this.limits
    if (this.waiting.length >= waitingAtMost) throw new Problem('busy', refusal, { retryAfter })
    return new Promise(resolve => this.waiting.push(resolve))
  }
}
