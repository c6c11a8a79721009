import type { Clock } from '../base/clock.ts'
import type { JobRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { type Change, foldName } from '../store/tables.ts'
import { hashOfTexts } from './fields.ts'

export const STATUSES = ['active', 'expired', 'pending'] as const
export type Status = (typeof STATUSES)[number]

/** What a list is filtered and sorted by; the rest of a job stays on disk. */
export interface JobSummary {
  readonly id: number
  readonly categoryId: number
  readonly termId: number
  readonly userId: number | null
  readonly arrangement: JobRow['arrangement']
  readonly pending: boolean
  readonly pinned: boolean
  /** The number of its last change. */
  readonly revision: number
  /** Folded, as `foldName` does. */
  readonly company: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly appearedAt: number | null
  readonly expiresAt: number | null
  /** Tells whether the texts that are searched are other than they were. */
  readonly textHash: number
}

/** What a job is at a moment. Nothing needs to happen for it to expire. */
export function statusOf(job: Pick<JobRow, 'pending' | 'expiresAt'>, now: number): Status {
  if (job.pending) return 'pending'
  return job.expiresAt !== null && job.expiresAt <= now ? 'expired' : 'active'
}

/** Of them all, at the start. */
const READ_AT_ONCE = 250

/** Pinned first, then the newest. */
const inOrder = (a: JobSummary, b: JobSummary) =>
  Number(b.pinned) - Number(a.pinned) || b.createdAt - a.createdAt || b.id - a.id

/** Every job's place in the list, in memory and in order. Follows committed changes; expiry follows the clock. */
export class JobIndex {
  private summaries: JobSummary[] = []
  private readonly byId = new Map<number, JobSummary>()
  private activeJobs: readonly JobSummary[] = []
  private activeAt = -Infinity
  /** The moment from which `activeJobs` no longer holds. */
  private activeUntil = -Infinity
  private listVersion = 0
  /** Grows with each change, and numbers it. */
  private revision = 0
  /** The last change of a category, a term or a plan, which jobs show. */
  private parentsRevision = 0

  /** @param onExpired told of jobs that expired since the list was looked at before */
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly onExpired: (ids: readonly number[]) => void,
  ) {
    this.rebuild()
  }

  /** Every job, whatever its status, in order. */
  get all(): readonly JobSummary[] {
    return this.summaries
  }

  /** The jobs that are active now, in order. */
  get active(): readonly JobSummary[] {
    this.refresh()
    return this.activeJobs
  }

  /** A number that changes with every list, by a write or by an expiry. */
  get version(): number {
    this.refresh()
    return this.listVersion
  }

  /** A number that changes with what everybody sees of a job; undefined if it is not active. */
  versionOf(id: number): number | undefined {
    const entry = this.byId.get(id)
    if (!entry || statusOf(entry, this.clock()) !== 'active') return undefined
    return Math.max(entry.revision, this.parentsRevision)
  }

  get(id: number): JobSummary | undefined {
    return this.byId.get(id)
  }

  isActive(id: number): boolean {
    const entry = this.byId.get(id)
    return entry !== undefined && statusOf(entry, this.clock()) === 'active'
  }

  /** Those of these jobs that are active now, in the order in which they are named. */
  activeAmong(ids: Iterable<number>): JobSummary[] {
    const now = this.clock()
    const active: JobSummary[] = []
    for (const id of ids) {
      const entry = this.byId.get(id)
      if (entry && statusOf(entry, now) === 'active') active.push(entry)
    }
    return active
  }

  applyChanges(changes: readonly Change[]): void {
    this.revision++
    for (const change of changes) {
      if (change.table !== 'jobs' && change.before) this.parentsRevision = this.revision
      if (change.table === 'jobs') this.place(change.id, change.after)
      else if (change.table === 'plans' && change.before && change.before.pin !== change.after?.pin)
        this.rebuild()
    }
    this.activeUntil = -Infinity
  }

  /** Raises the version although no job changed, where searches may find others now. */
  invalidate(): void {
    this.activeUntil = -Infinity
  }

  /** Looks at the clock: what expired meanwhile leaves the list, and `onExpired` is told of it. */
  refresh(): void {
    const now = this.clock()
    if (now < this.activeUntil) return
    const { activeAt } = this
    const expired = this.summaries.filter(entry => !entry.pending && isWithin(entry.expiresAt, activeAt, now))
    this.activeJobs = this.summaries.filter(entry => statusOf(entry, now) === 'active')
    this.activeAt = now
    this.activeUntil = this.activeJobs.reduce(
      (first, { expiresAt }) => Math.min(first, expiresAt ?? Infinity),
      Infinity,
    )
    this.listVersion++
    if (expired.length > 0) this.onExpired(expired.map(entry => entry.id))
  }

  private place(id: number, job: JobRow | undefined) {
    const known = this.byId.get(id)
    if (known) this.summaries.splice(this.positionOf(known), 1)
    this.byId.delete(id)
    if (!job) return
    const entry = this.entryOf(job)
    this.summaries.splice(this.positionOf(entry), 0, entry)
    this.byId.set(id, entry)
  }

  private positionOf(entry: JobSummary): number {
    let low = 0
    let high = this.summaries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.summaries[middle]
      if (other && inOrder(other, entry) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  private rebuild() {
    const slices = this.store.read.jobs.batches(READ_AT_ONCE)
    this.summaries = [...slices.flatMap(jobs => jobs.map(job => this.entryOf(job)))].sort(inOrder)
    this.byId.clear()
    for (const entry of this.summaries) this.byId.set(entry.id, entry)
  }

  private entryOf(job: JobRow): JobSummary {
    const { id, categoryId, termId, userId, arrangement, pending, createdAt, updatedAt } = job
    const { appearedAt, expiresAt } = job
    const company = foldName(job.company)
    const pinned = this.store.read.plans.get(job.planId)?.pin ?? false
    return {
      id,
      categoryId,
      termId,
      userId,
      arrangement,
      pending,
      pinned,
      revision: this.revision,
      company,
      createdAt,
      updatedAt,
      appearedAt,
      expiresAt,
      textHash: hashOfTexts(job),
    }
  }
}

const isWithin = (moment: number | null, after: number, until: number) =>
  moment !== null && moment > after && moment <= until
