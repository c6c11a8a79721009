import type { Caller } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import { forbidden } from '../../base/problem.ts'
import { announcePending } from '../../mail/outbox.ts'
import { statusOf } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import type { RunCounts } from '../../store/sourceRows.ts'
import type { Tables } from '../../store/tables.ts'
import type { Fields } from '../../validation/validation.ts'
import { changeJob, columnsOf, insertJob, type JobServices } from '../jobs/jobWriter.ts'
import { reopening } from '../jobs/lifecycle.ts'
import { submissionOf } from '../jobs/publication.ts'
import { renewal } from '../jobs/renewal.ts'
import { mayManage } from '../jobs/rules.ts'
import { isSameLogo } from '../logos/rules.ts'
import { claimSource } from './access.ts'
import { contentHashOf } from './content.ts'
import { checkPosting, findSourcedJob } from './posting.ts'

/** A posting of a source. */
export interface Posting {
  readonly source: string
  readonly externalId: string
  readonly fields: Fields
  /** The name of its new logo; undefined to keep the old one. */
  readonly logo?: string | undefined
  /** The hash of what was sent, by which the next run recognizes it. */
  readonly sentHash?: string
}

export interface Upserted {
  readonly job: JobRow
  readonly outcome: Exclude<keyof RunCounts, 'closed'>
}

/** Who sends postings. */
export interface Sender {
  readonly services: JobServices
  readonly caller: Caller
  /** Called before a job is created. Throws if the account has created too many. */
  readonly countJob: () => void
}

/**
 * Creates the job of a posting or makes it what the posting says, inside a transaction. A closed job is reopened. If
 * nothing differs, nothing is written. The caller must be allowed to use the source.
 * @throws Problem 'invalid', 'forbidden', or 'conflict' if the job can't be reopened
 */
export function upsertJob(sender: Sender, tables: Tables, posting: Posting): Upserted {
  const { services, caller } = sender
  const { source, externalId, fields } = posting
  const now = floorToSecond(services.clock())
  const job = findSourcedJob(tables, source, externalId)
  if (job && !mayManage(caller, job)) throw forbidden()
  const { validation, patch } = checkPosting(tables, caller, job, fields, now)
  const stated = validation.valueOrThrow()
  if (!job) {
    sender.countJob()
    const { userId } = claimSource(tables, caller, source, now)
    const { publishAt = null } = patch
    const columns = { source, externalId, userId, publishAt, logo: posting.logo ?? '' }
    return remember(tables, posting, {
      job: insertJob(services, caller, tables, stated, columns),
      outcome: 'created',
    })
  }
  const logo = posting.logo === undefined || isSameLogo(posting.logo, job.logo) ? job.logo : posting.logo
  const changed = changeJob(services, caller, tables, job, { ...columnsOf(stated), logo }, patch)
  if (job.closedAt !== null)
    return remember(tables, posting, { job: reopen(sender, tables, changed, now), outcome: 'reopened' })
  if (changed === job) return { job, outcome: 'unchanged' }
  const submitted = job.refusal === null ? changed : submitAgain(sender, tables, changed, now)
  return remember(tables, posting, { job: submitted, outcome: 'updated' })
}

/** Opens a closed job. If its period has ended, it gets another one, as if it were posted again. */
function reopen({ services, caller }: Sender, tables: Tables, job: JobRow, now: number): JobRow {
  const isOver = statusOf({ ...job, closedAt: null, filledAt: null }, now) === 'expired'
  const columns = isOver
    ? renewal(services, caller, tables, job, undefined, now, 'An administrator can activate it.')
    : reopening(job, now)
  return tables.jobs.update(job, { ...columns, updatedAt: now })
}

/** Submits a refused job that has changed since. */
function submitAgain({ services, caller }: Sender, tables: Tables, job: JobRow, now: number): JobRow {
  const columns = submissionOf(caller, job, tables, services.config.approve, now)
  if (columns.pending) announcePending(services.mail.outbox, tables, job.id)
  return tables.jobs.update(job, columns)
}

/** Stores what the next run has to know of a job. */
function remember(tables: Tables, { sentHash = '' }: Posting, upserted: Upserted): Upserted {
  const { job } = upserted
  tables.sourceJobs.put({ id: job.id, sentHash, contentHash: contentHashOf(job), closedAt: null })
  return upserted
}
