import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { announcePending } from '../../mail/outbox.ts'
import { NO_FUNNEL_COUNTS } from '../../store/countRows.ts'
import { statusOf } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import type { Tables } from '../../store/tables.ts'
import { withStoredLogo } from '../logos/rules.ts'
import { getJobToManage } from './access.ts'
import { presentOwnJob } from './present.ts'
import { approvalOf, newDraft, planOf, submissionOf, wasNeverPublic } from './publication.ts'
import type { OwnJob } from './responseSchemas.ts'
import { validateSubmission } from './rules.ts'
import { applyVerb, changeStatus } from './statusChange.ts'

/** Submits a draft or a refused job, which must be complete. @throws Problem 'invalid' that names every field that is wrong */
export const submitJob = (board: Board, caller: Caller, id: number): Promise<JobRow> =>
  changeStatus(board, caller, id, 'submit', (tables, job, now) => {
    if (job.submittedAt !== null && job.refusal === null) return undefined
    validateSubmission(job, tables).valueOrThrow()
    const columns = submissionOf(caller, job, tables, board.config.approve, now)
    if (columns.pending) announcePending(board.mail.outbox, tables, id)
    return columns
  })

/**
 * Approves a pending job. Its period starts now, unless the job was published before: then it keeps its expiry and is not
 * announced again. A job that isn't pending stays as it is.
 */
export const approveJob = (board: Board, caller: Caller, id: number): Promise<JobRow> =>
  changeStatus(board, caller, id, 'approve', (tables, job, now) => {
    if (!job.pending) return undefined
    if (job.userId !== null)
      board.mail.outbox.enqueue(tables, { kind: 'approved', userId: job.userId, jobId: id })
    return approvalOf(job, planOf(job, tables), now)
  })

/** Refuses a pending job. Its owner can correct it and submit it again. @param reason for the owner */
export const refuseJob = (board: Board, caller: Caller, id: number, reason: string): Promise<JobRow> =>
  changeStatus(board, caller, id, 'refuse', (tables, job) => {
    if (job.refusal === reason) return undefined
    if (job.userId !== null)
      board.mail.outbox.enqueue(tables, { kind: 'refused', userId: job.userId, jobId: id })
    return { pending: false, refusal: reason }
  })

/** Marks a job as filled. */
export const fillJob = (board: Board, caller: Caller, id: number): Promise<JobRow> =>
  changeStatus(board, caller, id, 'fill', (_, job, now) =>
    job.filledAt === null ? { filledAt: now } : undefined,
  )

/** Closes a job. */
export const closeJob = (board: Board, caller: Caller, id: number): Promise<JobRow> =>
  changeStatus(board, caller, id, 'close', closing)

/** Closes a job inside a transaction. */
export const applyClosing = (services: Pick<Board, 'clock'>, tables: Tables, job: JobRow): JobRow =>
  applyVerb(services, tables, job, 'close', closing)

const closing = (_: Tables, job: JobRow, now: number) =>
  job.closedAt === null ? { closedAt: now } : undefined

/** Undoes that a job was filled or closed. @throws Problem 'conflict' if its time is over */
export const reopenJob = (board: Board, caller: Caller, id: number): Promise<JobRow> =>
  changeStatus(board, caller, id, 'reopen', (_, job, now) => {
    if (job.filledAt === null && job.closedAt === null) return undefined
    return reopening(job, now)
  })

/** Returns the columns that change when a job is reopened. @throws Problem 'conflict' if its period has ended */
export function reopening(job: JobRow, now: number): Partial<JobRow> {
  const reopened = { filledAt: null, closedAt: null, ...(wasNeverPublic(job) && publishedFrom(job, now)) }
  if (statusOf({ ...job, ...reopened }, now) === 'expired')
    throw new Problem('conflict', `Its period has ended. Renew it instead (PUT /jobs/${job.id}/renew.json).`)
  return reopened
}

/** Returns the time of publication of a job that is published late, so that it is announced as new. */
const publishedFrom = ({ publishedAt }: JobRow, now: number) => ({
  publishedAt: Math.max(now, publishedAt ?? now),
})

/** Creates a draft with the same fields and logo, which belongs to the caller. */
export async function duplicateJob(board: Board, caller: Caller, id: number): Promise<OwnJob> {
  const { store, images, clock, links } = board
  const bytes = await images.logos.read(getJobToManage(board, caller, id).logo)
  return await withStoredLogo(images.logos, bytes && { bytes }, name =>
    writeAs(store, caller, tables => {
      const { id: _, ...original } = getJobToManage(board, caller, id, tables)
      const now = floorToSecond(clock())
      const plan = tables.plans.get(original.planId)
      const copy = tables.jobs.insert({
        ...original,
        ...newDraft(now),
        planId: plan?.archived === false ? plan.id : null,
        userId: caller.userId ?? null,
        logo: name ?? '',
      })
      return presentOwnJob(copy, tables, links, now, NO_FUNNEL_COUNTS)
    }),
  )
}
