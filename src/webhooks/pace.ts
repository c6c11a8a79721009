/** Limits how many things are done in a second, so that a long backlog leaves time for the board's readers. */
export class Pace {
  private nextAt = 0
  private readonly interval: number

  /** @param burst how many may be done at once after a pause */
  constructor(
    perSecond: number,
    private readonly burst: number,
  ) {
    this.interval = 1000 / perSecond
  }

  /** Resolves when it is time for the next one. */
  async turn(): Promise<void> {
    const now = performance.now()
    const at = Math.max(this.nextAt, now - this.burst * this.interval)
    this.nextAt = at + this.interval
    if (at > now) await new Promise(resolve => setTimeout(resolve, at - now))
  }
}
