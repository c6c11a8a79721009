import type { Clock } from '../base/clock.ts'
import { hasPublicPage, nextStatusChange, statusOf } from '../store/jobStatus.ts'
import type { JobRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Change } from '../store/tables.ts'
import { IdSet } from './idSet.ts'
import type { SavedJobIndex } from './jobIndexFile.ts'
import { inOrder, insertInOrder, type JobSummary, removeInOrder, summaryOf } from './jobSummary.ts'

/** The number of rows in memory at a time. */
const READ_BATCH_SIZE = 250
/**
 * In milliseconds, how long lists may lack the changes of a run of a source. It has thousands of transactions, and lists
 * that were built anew after each one would slow down readers and fill the cache with jobs that pass the first page.
 */
export const RUN_DELAY = 1000

/** The summaries of all jobs in memory, in the order of lists. Updated after each commit, and as time changes statuses. */
export class JobIndex {
  private summaries: JobSummary[] = []
  private readonly byId = new Map<number, JobSummary>()
  private activeJobs: JobSummary[] = []
  /** The ids of the active jobs. A search can find thousands of ids. */
  private readonly activeIds = new IdSet()
  private activeAt: number
  /** The time at which the list of active jobs may become outdated, because the status of one changes. */
  private activeUntil = -Infinity
  private listVersion = 0
  /** The time at which the version has to be raised for the changes of a run. */
  private raiseAt = Infinity
  /** The number of the last change. */
  private revision = 0
  /** The number of the last change of a category, term or plan, which are part of jobs. */
  private parentsRevision = 0
  /** Whether each plan pins jobs; undefined if a plan has changed. */
  private pins: ReadonlyMap<number | null, boolean> | undefined

  /**
   * @param onTimeChange called with the ids of jobs whose status has changed by itself since the last call
   * @param saved the state in which the board was stopped, if no job has been written since
   */
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly onTimeChange: (ids: readonly number[]) => void,
    saved?: SavedJobIndex,
  ) {
    this.activeAt = saved?.at ?? clock()
    this.revision = saved?.revision ?? 0
    if (saved) this.setAll([...saved.summaries])
    else this.rebuild()
  }

  /** Returns the state to save when the board is stopped. */
  get state(): Pick<SavedJobIndex, 'at' | 'revision' | 'summaries'> {
    return { at: this.activeAt, revision: this.revision, summaries: this.summaries }
  }

  /** Every job, whatever its status, in order. Each write changes this array. */
  get all(): readonly JobSummary[] {
    return this.summaries
  }

  /** The jobs that are active now, in order. Each write changes this array. */
  get active(): readonly JobSummary[] {
    this.refresh()
    return this.activeJobs
  }

  /** A number that changes whenever any list does, because of a write or the time. */
  get version(): number {
    this.refresh()
    if (this.clock() >= this.raiseAt) this.raiseVersion()
    return this.listVersion
  }

  /** Returns a number that changes whenever the public view of a job does; undefined if the job is not active. */
  versionOf(id: number): number | undefined {
    const entry = this.byId.get(id)
    return entry && statusOf(entry, this.clock()) === 'active'
      ? Math.max(entry.revision, this.parentsRevision)
      : undefined
  }

  get(id: number): JobSummary | undefined {
    return this.byId.get(id)
  }

  isActive(id: number): boolean {
    const entry = this.get(id)
    return entry !== undefined && statusOf(entry, this.clock()) === 'active'
  }

  /** Whether everybody can see the job's page now. */
  hasPublicPage(id: number): boolean {
    const entry = this.get(id)
    return entry !== undefined && hasPublicPage(entry, this.clock())
  }

  /** Returns those of these ids whose jobs are active now, in the given order. */
  activeAmong(ids: ArrayLike<number>): number[] {
    this.refresh()
    const active: number[] = []
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] ?? 0
      if (this.activeIds.has(id)) active.push(id)
    }
    return active
  }

  /** @param isOfRun whether they are changes of a source's run, so that the version may be raised later */
  applyChanges(changes: readonly Change[], isOfRun = false): void {
    this.revision++
    if (this.clock() < this.activeAt) this.refresh()
    if (changes.some(({ table }) => table === 'plans')) this.pins = undefined
    for (const change of changes) {
      if (change.table !== 'jobs' && (change.before || change.table === 'settings'))
        this.parentsRevision = this.revision
      if (change.table === 'jobs') this.place(change.id, change.after)
      else if (change.table === 'plans' && change.before && change.before.pin !== change.after?.pin)
        this.rebuild()
    }
    if (isOfRun) this.raiseAt = Math.min(this.raiseAt, this.clock() + RUN_DELAY)
    else this.raiseVersion()
  }

  /** Lets lists show all changes of a run that has ended. */
  showRun(): void {
    if (this.raiseAt < Infinity) this.raiseVersion()
  }

  /** Raises the version without a change, because searches may return other jobs now. */
  raiseVersion(): void {
    this.listVersion++
    this.raiseAt = Infinity
  }

  /**
   * Updates the list of active jobs if the status of a job has changed by now, and calls `onTimeChange`. The system's clock
   * can go back, too.
   */
  refresh(): void {
    const now = this.clock()
    if (this.activeAt <= now && now < this.activeUntil) return
    const active: JobSummary[] = []
    const changed: number[] = []
    let until = Infinity
    for (const entry of this.summaries) {
      if (statusOf(entry, now) === 'active') active.push(entry)
      if (nextStatusChange(entry, this.activeAt) <= now) changed.push(entry.id)
      until = Math.min(until, nextStatusChange(entry, now))
    }
    this.activeJobs = active
    this.activeIds.clear()
    for (const { id } of active) this.activeIds.add(id)
    this.activeAt = now
    this.activeUntil = until
    this.raiseVersion()
    if (changed.length > 0) this.onTimeChange(changed)
  }

  private place(id: number, job: JobRow | undefined) {
    const now = this.clock()
    const known = this.byId.get(id)
    if (known) {
      removeInOrder(this.summaries, known)
      removeInOrder(this.activeJobs, known)
    }
    this.byId.delete(id)
    this.activeIds.delete(id)
    if (!job) return
    const entry = this.entryOf(job)
    insertInOrder(this.summaries, entry)
    if (statusOf(entry, now) === 'active') {
      insertInOrder(this.activeJobs, entry)
      this.activeIds.add(id)
    }
    this.activeUntil = Math.min(this.activeUntil, nextStatusChange(entry, now))
    this.byId.set(id, entry)
  }

  private rebuild() {
    const slices = this.store.read.jobs.batches(READ_BATCH_SIZE)
    this.setAll([...slices.flatMap(jobs => jobs.map(job => this.entryOf(job)))].sort(inOrder))
  }

  private setAll(summaries: JobSummary[]) {
    this.summaries = summaries
    this.byId.clear()
    for (const entry of this.summaries) this.byId.set(entry.id, entry)
    this.activeUntil = -Infinity
  }

  private entryOf(job: JobRow): JobSummary {
    this.pins ??= new Map(this.store.read.plans.all().map(({ id, pin }) => [id, pin]))
    return summaryOf(job, this.pins.get(job.planId) ?? false, this.revision)
  }
}
