import { DAY } from '../../base/clock.ts'
import { statusOf } from '../jobStatus.ts'
import type { JobFacts, Status } from '../jobStatus.ts'
import type { ChangeType, PublicChangeType } from './journalRow.ts'

/** How long before the end of a job its `job.expiring` is journaled. */
const EXPIRING_PERIOD = 7 * DAY
/** The statuses that the time changes, apart from that of a filled job's page. */
const TIMED: ReadonlySet<Status> = new Set(['scheduled', 'active', 'expired'])

/** A time at which something happens to a job without a request. */
interface JobMoment {
  readonly at: number
  readonly type: ChangeType
  readonly publicType?: PublicChangeType
}

/** Returns the first moment of a job after a time. */
export const nextMoment = (job: JobFacts, after: number): JobMoment | undefined =>
  momentsOf(job).find(({ at }) => at > after)

/** Returns the moment of a job at a time; undefined if it has none then. */
export const momentAt = (job: JobFacts, time: number): JobMoment | undefined =>
  momentsOf(job).find(({ at }) => at === time)

function momentsOf(job: JobFacts): JobMoment[] {
  const { publishedAt, expiresAt } = job
  if (publishedAt === null || !TIMED.has(statusOf(job, publishedAt))) return []
  const publication = { at: publishedAt, type: 'job.published', publicType: 'job.published' } as const
  if (expiresAt === null) return [publication]
  if (expiresAt <= publishedAt) return [{ at: publishedAt, type: 'job.expired' }]
  const expiringAt = expiresAt - EXPIRING_PERIOD
  return [
    publication,
    ...(expiringAt > publishedAt ? [{ at: expiringAt, type: 'job.expiring' } as const] : []),
    { at: expiresAt, type: 'job.expired', publicType: 'job.closed' },
  ]
}
