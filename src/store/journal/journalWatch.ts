import type { Store } from '../store.ts'
import type { Change } from '../tables.ts'

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

  /** Resolves with true when there may be new entries, or with false after this time, or when the board closes. */
  wait(ms: number): Promise<boolean> {
    if (this.isClosed) return Promise.resolve(false)
    return new Promise(resolve => {
      const end = (isWoken: boolean) => {
        clearTimeout(timer)
        this.waiting.delete(wake)
        resolve(isWoken)
      }
      const wake = () => end(!this.isClosed)
      const timer = setTimeout(() => end(false), ms)
      this.waiting.add(wake)
    })
  }

  close(): void {
    this.isClosed = true
    this.wakeAll()
  }

  private wakeFor(seq: number) {
    if (seq <= this.seenSeq) return
    this.seenSeq = seq
    this.wakeAll()
  }

  private wakeAll() {
    for (const wake of this.waiting) wake()
  }
}
