import { type Clock, DAY, SECOND } from '../../base/clock.ts'
import type { Store } from '../store.ts'
import { JournalWatch } from './journalWatch.ts'

const INTERVAL = SECOND
/** The number of entries that one transaction removes. */
const BATCH_SIZE = 100

/** Journals what happens to jobs without a request, within a second, and removes old entries. */
export class JournalTimer {
  readonly watch: JournalWatch
  private readonly timer: Timer
  private work: Promise<void> = Promise.resolve()
  private hasFailed = false

  /**
   * @param days how long entries are kept
   * @param warn called at the first of several failures in a row
   */
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly days: number,
    private readonly warn: (message: string, cause: unknown) => void,
  ) {
    this.watch = new JournalWatch(store)
    this.timer = setInterval(() => void this.run(), INTERVAL)
    // The timer must not keep the process alive if opening the board fails.
    this.timer.unref()
  }

  /** Runs the tasks that are due. */
  run(): Promise<void> {
    this.work = this.work.then(() => this.doDueWork())
    return this.work
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    this.watch.close()
    await this.work
  }

  private async doDueWork() {
    try {
      // Every transaction journals what is due before its own changes.
      if (this.store.journal.nextDue(this.clock())) await this.store.write(() => {})
      this.watch.check()
      await this.removeOldEntries()
      this.hasFailed = false
    } catch (error) {
      if (!this.hasFailed) this.warn('the journal could not be written yet', error)
      this.hasFailed = true
    }
  }

  /** Removes old entries in small transactions. Others get their turn in between. */
  private async removeOldEntries() {
    const before = this.clock() - this.days * DAY
    while (this.oldestAt < before) {
      await this.store.write(({ journal }) => {
        const [oldest = []] = journal.batches(BATCH_SIZE)
        for (const { id, at } of oldest) if (at < before) journal.remove(id)
      })
      await new Promise(resolve => setImmediate(resolve))
    }
  }

  /** The time of the oldest entry; Infinity if there is none. */
  private get oldestAt(): number {
    const [[oldest] = []] = this.store.read.journal.batches(1)
    return oldest?.at ?? Infinity
  }
}
