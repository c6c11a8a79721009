/** Changes after which to save as soon as there is nothing else to do, */
const MANY_CHANGES = 1000
/** the milliseconds between two times all the same, */
const REST = 60_000
/** and the milliseconds after which to save if there are fewer changes. */
const LATER = 300_000

/** When to save what changes now and then. Changes are counted from the beginning. */
export class SaveSchedule {
  private changes = 0
  private saved = 0
  private savedAt = -Infinity
  private timer: Timer | undefined
  private due = Infinity
  private running = Promise.resolve()

  constructor(private readonly save: () => Promise<void>) {}

  /** Plans to save, if there were changes since it was done. */
  plan(changes: number): void {
    this.changes = changes
    if (changes === this.saved) return
    const now = performance.now()
    const due = changes - this.saved < MANY_CHANGES ? now + LATER : Math.max(now, this.savedAt + REST)
    if (due >= this.due) return
    clearTimeout(this.timer)
    this.due = due
    this.timer = setTimeout(() => void this.run(), due - now)
    this.timer.unref()
  }

  /** Saves what was not, and no more after that. */
  async end(changes: number): Promise<void> {
    clearTimeout(this.timer)
    this.changes = changes
    if (changes !== this.saved) void this.run()
    this.due = -Infinity
    await this.running
  }

  private run(): Promise<void> {
    this.saved = this.changes
    this.savedAt = performance.now()
    this.due = Infinity
    this.running = this.running.then(this.save)
    return this.running
  }
}
