/** The number of changes after which the file is written as soon as there is nothing else to do. */
const MANY_CHANGES = 1000
/** In milliseconds, the minimum time between two writes. */
const MIN_INTERVAL = 60_000
/** In milliseconds, the time until the file is written if there are fewer changes. */
const MAX_DELAY = 300_000

/** Decides when to write a file that changes often. Changes are counted from the start. */
export class SaveScheduler {
  private changes = 0
  private savedChanges = 0
  private savedAt = -Infinity
  private timer: Timer | undefined
  private dueAt = Infinity
  private running = Promise.resolve()

  /** The checksum of the file as it is now; undefined if there is none, or if it can't be used. */
  checksum: string | undefined

  /** @param write writes the file, and returns its checksum */
  constructor(
    private readonly write: () => Promise<string | undefined>,
    private readonly warn: (message: string, cause: unknown) => void,
  ) {}

  /** Schedules a write, if there were changes since the last one. */
  schedule(changes: number): void {
    this.changes = changes
    if (changes === this.savedChanges) return
    const now = performance.now()
    const isUrgent = changes - this.savedChanges >= MANY_CHANGES
    const dueAt = isUrgent ? Math.max(now, this.savedAt + MIN_INTERVAL) : now + MAX_DELAY
    if (dueAt >= this.dueAt) return
    clearTimeout(this.timer)
    this.dueAt = dueAt
    this.timer = setTimeout(() => void this.run(), dueAt - now)
    this.timer.unref()
  }

  /** Writes unsaved changes, and stops. */
  async close(changes: number): Promise<void> {
    clearTimeout(this.timer)
    this.changes = changes
    if (changes !== this.savedChanges) void this.run()
    this.dueAt = -Infinity
    await this.running
  }

  private run(): Promise<void> {
    this.savedChanges = this.changes
    this.savedAt = performance.now()
    this.dueAt = Infinity
    this.running = this.running.then(() => this.save())
    return this.running
  }

  /** Writes the file. If that fails, it is outdated, which the next start finds out. */
  private async save() {
    try {
      this.checksum = await this.write()
    } catch (error) {
      this.checksum = undefined
      this.warn('the search index could not be written', error)
    }
  }
}
