import { DAY } from '../base/clock.ts'
import type { JobRow } from './rows.ts'

export const STATUSES = [
  'draft',
  'pending',
  'refused',
  'scheduled',
  'active',
  'filled',
  'closed',
  'expired',
] as const
export type Status = (typeof STATUSES)[number]

/** The columns of a job that its status is computed from. */
export type JobFacts = Pick<
  JobRow,
  'submittedAt' | 'pending' | 'refusal' | 'publishedAt' | 'filledAt' | 'closedAt' | 'expiresAt'
>

/** How long everybody can see the page of a filled job. */
const FILLED_PERIOD = 30 * DAY

/** Returns the status of a job at a time. It is never stored: a job is published and expires without any write. */
export function statusOf(job: JobFacts, now: number): Status {
  if (job.submittedAt === null) return 'draft'
  if (job.closedAt !== null) return 'closed'
  if (job.filledAt !== null) return 'filled'
  if (job.refusal !== null) return 'refused'
  if (job.pending || job.publishedAt === null) return 'pending'
  if (job.publishedAt > now) return 'scheduled'
  return job.expiresAt !== null && job.expiresAt <= now ? 'expired' : 'active'
}

/** Whether everybody can see the job's page: while it is active, and for a while after it was filled. */
export function hasPublicPage(job: JobFacts, now: number): boolean {
  const status = statusOf(job, now)
  return status === 'active' || (status === 'filled' && now < (job.filledAt ?? 0) + FILLED_PERIOD)
}

/** Whether a job that everybody could see is over. */
export function isOver(job: JobFacts, now: number): boolean {
  const status = statusOf(job, now)
  if (status === 'closed') return job.publishedAt !== null && job.publishedAt <= (job.closedAt ?? 0)
  return status === 'expired' || status === 'filled'
}

/** Returns the time that lists show and sort by: of a job's creation or, if later, its submission or scheduled publication. */
export const listedAt = ({
  createdAt,
  submittedAt,
  publishAt,
}: Pick<JobRow, 'createdAt' | 'submittedAt' | 'publishAt'>) =>
  Math.max(createdAt, submittedAt ?? 0, publishAt ?? 0)

/** Returns the next time after `now` at which a job's status, or the visibility of its page, changes by itself; Infinity if none. */
export function nextStatusChange(job: JobFacts, now: number): number {
  const moment = statusEnd(job, now)
  return moment > now ? moment : Infinity
}

function statusEnd(job: JobFacts, now: number): number {
  const status = statusOf(job, now)
  if (status === 'scheduled') return job.publishedAt ?? Infinity
  if (status === 'active') return job.expiresAt ?? Infinity
  return status === 'filled' ? (job.filledAt ?? 0) + FILLED_PERIOD : Infinity
}
