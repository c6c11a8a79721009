/** The number of changes after which the file is written as soon as there is nothing else to do. */
const MANY_CHANGES = 1000
/** In milliseconds, the minimum time between two writes. */
const REST = 60_000
/** In milliseconds, the time until the file is written if there are fewer changes. */
const LATER = 300_000

/** Decides when to write a file that changes often. Changes are counted from the start. */
export class SaveSchedule {
  private changes = 0
  private saved = 0
  private savedAt = -Infinity
  private timer: Timer | undefined
  private due = Infinity
  private running = Promise.resolve()

  constructor(private readonly save: () => Promise<void>) {}

  /** Plans a write, if there were changes since the last one. */
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

  /** Writes unsaved changes, and stops. */
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
