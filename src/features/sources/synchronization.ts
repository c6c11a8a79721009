import type { Caller } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import { STORED_BYTES_PER_BYTE } from '../../store/diskSpace.ts'
import type { Actor } from '../../store/journal/journalRow.ts'
import type { RunCounts } from '../../store/sourceRows.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import type { SourceFile } from '../imports/source.ts'
import type { JobServices } from '../jobs/jobWriter.ts'
import { claimSource } from './access.ts'
import { closeForSource } from './closing.ts'
import { errorsOf, isDetached, isOpen, type Verdict } from './judgement.ts'
import { findSourcedJob } from './posting.ts'
import { SetCheck } from './setCheck.ts'
import { type NumberedPosting, readSet } from './setFile.ts'
import { externalIdOf, jobFieldsOf, requireNone, sentHashOf } from './setRow.ts'
import { type Sender, upsertJob } from './upsert.ts'

/** The number of postings that one transaction may have. */
const SLICE_POSTINGS = 200

/** Runs a change as one transaction. @param size the number of bytes that it may store */
export type WriteSlice = <T>(
  change: (tables: Tables) => T extends PromiseLike<unknown> ? never : T,
  actor?: Actor,
  size?: number,
) => Promise<T>

/** The input of a synchronization, and what it needs. */
export interface SyncTask {
  readonly store: Pick<Store, 'read' | 'attempt'>
  readonly services: JobServices
  readonly caller: Caller
  readonly source: string
  readonly file: SourceFile
  /** Whether to find out only what would be done. */
  readonly isDryRun: boolean
  /** Whether to close what is missing even if that is a lot. */
  readonly force: boolean
  readonly countJob: () => void
  /** How long one transaction may take, in milliseconds. */
  readonly slice: number
  readonly write: WriteSlice
  /** Awaited between slices. Throws if the work is to be stopped. */
  readonly pause: () => Promise<void>
  readonly onRead: (activity: 'Checking' | 'Storing', done: number, total: number) => void
}

type Counts = { -readonly [K in keyof RunCounts]: number }

/** Brings the jobs of a source in step with a set of postings. */
export class Synchronization {
  readonly counts: Counts = { created: 0, updated: 0, unchanged: 0, reopened: 0, closed: 0 }
  readonly check: SetCheck
  private readonly sender: Sender

  constructor(private readonly task: SyncTask) {
    const { services, store, caller, source, countJob } = task
    this.check = new SetCheck(services, store.read, caller, source)
    this.sender = { services, caller, countJob }
  }

  /**
   * Checks the whole set first. Then stores the postings that make a difference, and at last closes the jobs that are
   * missing from the set.
   * @throws Problem if nothing may be changed, or the work was stopped
   */
  async run(): Promise<void> {
    const { check, task } = this
    for (const posting of this.postings('Checking')) {
      if (posting) check.add(posting)
      await task.pause()
    }
    for (const _ of check.findMissing()) await task.pause()
    if (!task.force) check.requirePlausible()
    this.counts.unchanged = check.unchanged
    if (task.isDryRun) return this.countOnly()
    const claim = (tables: Tables) =>
      claimSource(tables, task.caller, task.source, floorToSecond(task.services.clock()))
    const { id } = await task.write(claim, undefined, task.file.size * STORED_BYTES_PER_BYTE)
    const actor: Actor = { kind: 'source', id }
    if (check.toStore.size > 0) await this.storeAll(actor)
    if (this.mayClose) await this.closeAll(actor)
  }

  /** Whether jobs may be closed: postings without a valid external id could be those of any job. */
  get mayClose(): boolean {
    return this.check.nameless === 0 || this.task.force
  }

  private countOnly() {
    for (const verdict of this.check.toStore.values()) this.count(verdict)
    if (this.mayClose) this.counts.closed = this.check.missing.length
  }

  private count(verdict: Verdict) {
    if (verdict !== 'detached') this.counts[verdict]++
  }

  private async storeAll(actor: Actor): Promise<void> {
    const rows = this.postings('Storing')
    for (let isDone = false; !isDone;) {
      const slice = await this.task.write(tables => this.storeSlice(tables, rows), actor)
      for (const verdict of slice.stored) this.count(verdict)
      ;({ isDone } = slice)
      await this.task.pause()
    }
  }

  private storeSlice(tables: Tables, rows: Generator<NumberedPosting | undefined>) {
    const start = performance.now()
    const stored: Verdict[] = []
    while (stored.length < SLICE_POSTINGS && performance.now() - start < this.task.slice) {
      const next = rows.next()
      if (next.done) return { stored, isDone: true }
      if (!next.value || !this.check.toStore.has(next.value.n)) continue
      const verdict = this.store(tables, next.value)
      if (verdict) stored.push(verdict)
    }
    return { stored, isDone: false }
  }

  /** Stores a posting; returns undefined if it is refused. */
  private store(tables: Tables, { n, fields: posting }: NumberedPosting): Verdict | undefined {
    const { source, store } = this.task
    const id = externalIdOf(posting)
    const externalId = 'externalId' in id ? id.externalId : ''
    const job = findSourcedJob(tables, source, externalId)
    // Somebody may have edited it since it was checked.
    if (job && isDetached(tables, job)) {
      this.check.detached.push({ id: job.id, external_id: externalId })
      return 'detached'
    }
    try {
      const { fields, unknown } = jobFieldsOf(posting, tables)
      requireNone(unknown)
      const upserted = { source, externalId, fields, sentHash: sentHashOf(posting) }
      return store.attempt(() => upsertJob(this.sender, tables, upserted)).outcome
    } catch (error) {
      this.check.refuse(n, externalId, errorsOf(error))
      return undefined
    }
  }

  private async closeAll(actor: Actor): Promise<void> {
    for (let rest = this.check.missing; rest.length > 0;) {
      const slice = rest
      const { done, closed } = await this.task.write(tables => this.closeSlice(tables, slice), actor)
      this.counts.closed += closed
      rest = slice.slice(done)
      await this.task.pause()
    }
  }

  private closeSlice(tables: Tables, ids: readonly number[]) {
    const { services, slice } = this.task
    const start = performance.now()
    let [done, closed] = [0, 0]
    for (const id of ids) {
      if (done === SLICE_POSTINGS || performance.now() - start > slice) break
      done++
      const job = tables.jobs.get(id)
      if (!job || !isOpen(job, services.clock()) || isDetached(tables, job)) continue
      closeForSource(services, tables, job)
      closed++
    }
    return { done, closed }
  }

  private postings(activity: 'Checking' | 'Storing') {
    const { file, onRead } = this.task
    const { size } = file
    let done = 0
    return readSet(file, bytes => onRead(activity, (done += bytes), size))
  }
}
