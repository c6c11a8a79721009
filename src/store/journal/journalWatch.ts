import { setImmediate } from 'node:timers/promises'
import type { Store } from '../store.ts'
import type { Change } from '../tables.ts'

const WAKE_BATCH = 25

/** Wakes those who wait for the next entry of the journal, and knows the last one that this process has applied. */
export class JournalWatch {
  /** The seq of the last change that lists in memory contain. Changes by other processes follow later. */
  appliedSeq: number
  private seenSeq: number
  private isClosed = false
  private readonly waiting = new Set<() => void>()

  constructor(private readonly store: Store) {
    this.appliedSeq = this.seenSeq = store.read.journal.lastId
  }

  applyChanges(changes: readonly Change[]): void {
    for (const { table, id, before } of changes)
      if (table === 'journal' && before === undefined) this.appliedSeq = id
    this.wakeFor(this.appliedSeq)
  }

  /** Wakes everybody if there are new entries, also of another process. */
  check(): void {
    this.wakeFor(this.store.read.journal.lastId)
  }

  /**
   * Resolves with true when there may be new entries, or with false after this time, or when the board closes.
   * @param signal resolves it with false too, for somebody who no longer waits
   */
  wait(ms: number, signal?: AbortSignal): Promise<boolean> {
    if (this.isClosed || signal?.aborted) return Promise.resolve(false)
    return new Promise(resolve => {
      const end = (isWoken: boolean) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        this.waiting.delete(wake)
        resolve(isWoken)
      }
      const wake = () => end(!this.isClosed)
      const giveUp = () => end(false)
      const timer = setTimeout(giveUp, ms)
      signal?.addEventListener('abort', giveUp)
      this.waiting.add(wake)
    })
  }

  /** The number of those who wait. */
  get waiters(): number {
    return this.waiting.size
  }

  close(): void {
    this.isClosed = true
    void this.wakeAll()
  }

  private wakeFor(seq: number) {
    if (seq <= this.seenSeq) return
    this.seenSeq = seq
    void this.wakeAll()
  }

  /** Wakes everybody, a few at a time, because each of them reads the journal. Requests get their turn in between. */
  private async wakeAll() {
    let woken = 0
    // Those who wait again meanwhile have seen this entry.
    for (const wake of [...this.waiting]) {
      wake()
      if (++woken % WAKE_BATCH === 0) await setImmediate()
    }
  }
}
