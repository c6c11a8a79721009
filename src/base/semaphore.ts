import { Problem } from './problem.ts'

/** Of the turns, how often one is a suspect's. */
const SUSPECT_INTERVAL = 4

/** Has few work at a time, and a bounded number wait for their turn, in the order in which they came. */
export class Semaphore {
  private readonly queue: (() => void)[] = []
  private readonly suspects: (() => void)[] = []
  private turns = 0

  /**
   * @param free how many may work at once
   * @param maxWaiting how many may wait, and as many suspects; whoever comes on top of them is refused
   * @param refusal the sentence they are refused with
   * @param retryAfter seconds after which it is worth trying again
   */
  constructor(
    private free: number,
    private readonly maxWaiting: number,
    private readonly refusal: string,
    private readonly retryAfter: number,
  ) {}

  /**
   * Does `work` when its turn has come.
   * @param isSuspect makes it wait apart: what may be a flood gets one turn in four as long as others wait
   * @throws Problem 'busy' if too many wait already, and whatever `work` throws
   */
  async run<T>(work: () => Promise<T>, isSuspect = false): Promise<T> {
    if (this.free > 0) this.free--
    else await this.enqueue(isSuspect ? this.suspects : this.queue)
    try {
      return await work()
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

  private enqueue(line: (() => void)[]): Promise<void> {
    if (line.length >= this.maxWaiting)
      throw new Problem('busy', this.refusal, { retryAfter: this.retryAfter })
    return new Promise(resolve => line.push(resolve))
  }
}
