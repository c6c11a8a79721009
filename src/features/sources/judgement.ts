import type { Caller } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import { type FieldErrors, Problem } from '../../base/problem.ts'
import { statusOf } from '../../store/jobStatus.ts'
import { differs, type JobRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import type { Fields } from '../../validation/validation.ts'
import { columnsOf, type JobServices } from '../jobs/jobWriter.ts'
import { mayManage } from '../jobs/rules.ts'
import { contentHashOf } from './content.ts'
import { checkPosting } from './posting.ts'
import { jobFieldsOf, postingErrors, requireNone, sentHashOf } from './setRow.ts'

/** What a run does with a posting. */
export type Verdict = 'created' | 'updated' | 'unchanged' | 'reopened' | 'detached'

const NOT_YOURS = 'is that of a job that belongs to another account'

/** Whether a job is open: it is, will be or may become active. */
export function isOpen(job: JobRow, now: number): boolean {
  const status = statusOf(job, now)
  return status === 'active' || status === 'scheduled' || status === 'pending'
}

/** Whether somebody, and not the source, has edited, filled or closed a job since the source last changed it. */
export function isDetached(tables: TableReaders, job: JobRow): boolean {
  const known = tables.sourceJobs.get(job.id)
  const isClosed = job.closedAt !== null && known !== undefined && known.closedAt !== job.closedAt
  const isFilled = job.closedAt === null && job.filledAt !== null
  return isClosed || isFilled || isEdited(tables, job)
}

function isEdited({ sourceJobs }: TableReaders, job: JobRow): boolean {
  const known = sourceJobs.get(job.id)
  return known !== undefined && known.contentHash !== contentHashOf(job)
}

/** Returns what a run would do with a posting. @throws Problem 'invalid' that names every invalid field */
export function judge(
  { clock }: Pick<JobServices, 'clock'>,
  caller: Caller,
  tables: TableReaders,
  job: JobRow | undefined,
  posting: Fields,
): Verdict {
  if (job && !mayManage(caller, job)) requireNone({ external_id: [NOT_YOURS] })
  const detached = job && isDetached(tables, job)
  if (job && tables.sourceJobs.get(job.id)?.sentHash === sentHashOf(posting)) {
    if (detached) return 'detached'
    if (job.closedAt === null) return 'unchanged'
  }
  const { fields, unknown } = jobFieldsOf(posting, tables)
  const { validation, patch } = checkPosting(tables, caller, job, fields, floorToSecond(clock()))
  requireNone(postingErrors(validation.errors, unknown))
  if (!job) return 'created'
  const isSame = !differs(job, { ...columnsOf(validation.valueOrThrow()), ...patch })
  if (detached) return isSame && isOpen(job, clock()) ? 'unchanged' : 'detached'
  if (job.closedAt !== null) return 'reopened'
  return isSame ? 'unchanged' : 'updated'
}

/** Returns the errors of a posting that can't be stored. @throws the error if it isn't about the posting */
export function errorsOf(error: unknown): FieldErrors {
  if (!(error instanceof Problem)) throw error
  return error.details.errors ?? { external_id: [`can't be stored: ${error.message}`] }
}
