import { MINUTE } from '../base/clock.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

/** In milliseconds, the least time between two writes. The first delivery after a pause is stored at once. */
const INTERVAL = 500

/** Something whose progress is stored from time to time. */
interface Progressing {
  /** Stores the progress, inside a transaction that may still fail. */
  save(tables: Tables): void
  /** Called when what was saved is on disk. */
  confirm(): void
}

/**
 * Stores the progress of all webhooks, many deliveries in one transaction. After a crash, deliveries that weren't stored are
 * sent again with the same ids, so none is lost.
 */
export class Progress {
  private readonly unsaved = new Set<Progressing>()
  private timer: Timer | undefined
  private dueAt = Infinity
  private lastWrite = -Infinity
  private work: Promise<void> = Promise.resolve()
  private hasFailed = false

  /** @param warn called at the first of several failures in a row; each write is tried again */
  constructor(
    private readonly store: Store,
    private readonly warn: (cause: unknown) => void,
  ) {}

  /** Stores the progress of a webhook soon. */
  mark(progressing: Progressing): void {
    this.unsaved.add(progressing)
    this.schedule(Math.max(0, this.lastWrite + INTERVAL - performance.now()))
  }

  /** Stores the progress of a webhook within a minute, because nothing was sent. */
  markLater(progressing: Progressing): void {
    this.unsaved.add(progressing)
    this.schedule(MINUTE)
  }

  /** Stores everything now. */
  flush(): Promise<void> {
    clearTimeout(this.timer)
    this.dueAt = Infinity
    this.work = this.work.then(() => this.write())
    return this.work
  }

  private schedule(delay: number) {
    const dueAt = performance.now() + delay
    if (dueAt >= this.dueAt) return
    clearTimeout(this.timer)
    this.dueAt = dueAt
    this.timer = setTimeout(() => void this.flush(), delay)
    this.timer.unref()
  }

  private async write() {
    const saved = [...this.unsaved]
    if (saved.length === 0) return
    this.unsaved.clear()
    try {
      await this.store.write(tables => {
        for (const one of saved) one.save(tables)
      })
      for (const one of saved) one.confirm()
      this.hasFailed = false
    } catch (error) {
      if (!this.hasFailed) this.warn(error)
      this.hasFailed = true
      for (const one of saved) this.unsaved.add(one)
      this.schedule(INTERVAL)
    }
    this.lastWrite = performance.now()
  }
}
