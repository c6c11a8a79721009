import { writeAs } from '../../accounts/writeAs.ts'
import { ANONYMOUS, type Caller } from '../../base/caller.ts'
import { DAY, floorToSecond, timestamp } from '../../base/clock.ts'
import { invalid, Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { announcePending } from '../../mail/outbox.ts'
import { statusOf } from '../../store/jobStatus.ts'
import { getOrThrow } from '../../store/lookup.ts'
import type { JobRow, PlanRow } from '../../store/rows.ts'
import type { TableReaders, Tables } from '../../store/tables.ts'
import { NO_FUNNEL_COUNTS } from '../../traffic/jobCounters.ts'
import { withStoredLogo } from '../logos/rules.ts'
import { getJobToManage } from './access.ts'
import { presentOwnJob } from './present.ts'
import { approvalOf, needsApproval, newDraft, planOf, renewedPeriod, submissionOf } from './publication.ts'
import type { OwnJob } from './responseSchemas.ts'
import { validateSubmission } from './rules.ts'
import { requireStatusFor, type Verb } from './verbs.ts'

/** How long before its end a job can be renewed. */
const RENEWAL_WINDOW = 14 * DAY

/** A change of a job's status: the columns that change; undefined if there is nothing to change. */
type StatusChange = (tables: Tables, job: JobRow, now: number) => Partial<JobRow> | undefined

/**
 * Changes the status of a job in one transaction.
 * @throws Problem 'conflict' if its status doesn't allow the verb
 */
const changeStatus = (
  board: Board,
  caller: Caller,
  id: number,
  verb: Verb,
  change: StatusChange,
): Promise<JobRow> =>
  writeAs(board.store, caller, tables => {
    const job = getJobToManage(board, caller, id, tables)
    return applyVerb(board, tables, job, verb, change)
  })

function applyVerb({ clock }: Board, tables: Tables, job: JobRow, verb: Verb, change: StatusChange): JobRow {
  const now = floorToSecond(clock())
  requireStatusFor(verb, job, now)
  const columns = change(tables, job, now)
  return columns ? tables.jobs.update(job, { ...columns, updatedAt: now }) : job
}

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
  changeStatus(board, caller, id, 'close', (_, job, now) =>
    job.closedAt === null ? { closedAt: now } : undefined,
  )

/** Undoes that a job was filled or closed. @throws Problem 'conflict' if its time is over */
export const reopenJob = (board: Board, caller: Caller, id: number): Promise<JobRow> =>
  changeStatus(board, caller, id, 'reopen', (_, job, now) => {
    if (job.filledAt === null && job.closedAt === null) return undefined
    const reopened = { filledAt: null, closedAt: null, ...(wasNeverPublic(job) && publishedFrom(job, now)) }
    if (statusOf({ ...job, ...reopened }, now) === 'expired')
      throw new Problem('conflict', `Its period has ended. Renew it instead (PUT /jobs/${id}/renew.json).`)
    return reopened
  })

/** Whether a job was closed before the time of its publication. */
const wasNeverPublic = ({ publishedAt, closedAt }: JobRow) =>
  publishedAt !== null && closedAt !== null && publishedAt > closedAt

/** Returns the time of publication of a job that is published late, so that it is announced as new. */
const publishedFrom = ({ publishedAt }: JobRow, now: number) => ({
  publishedAt: Math.max(now, publishedAt ?? now),
})

/**
 * Renews a job for another period, from 14 days before its end. A filled or closed job is reopened.
 * @param planId the new plan; undefined for the job's own
 */
export const renewJob = (
  board: Board,
  caller: Caller,
  id: number,
  planId: number | undefined,
): Promise<JobRow> =>
  changeStatus(board, caller, id, 'renew', (tables, job, now) =>
    renewal(board, caller, tables, job, planId, now),
  )

/** Renews a job without a caller, as its owner could, who got the link by mail. */
export function renewAsOwner(board: Board, id: number): Promise<JobRow> {
  return writeAs(board.store, ANONYMOUS, tables => {
    const job = getOrThrow(tables.jobs, id, 'job')
    const owner = tables.users.get(job.userId)
    const caller = owner ? { userId: owner.id, role: owner.role, epoch: owner.epoch } : ANONYMOUS
    return applyVerb(board, tables, job, 'renew', (_, __, now) =>
      renewal(board, caller, tables, job, undefined, now),
    )
  })
}

function renewal(
  { config, mail }: Board,
  caller: Caller,
  tables: Tables,
  job: JobRow,
  planId: number | undefined,
  now: number,
): Partial<JobRow> | undefined {
  if (job.pending && job.renewing && (planId ?? job.planId) === job.planId) return undefined
  requireRenewable(job, now)
  const plan = renewalPlan(job, planId, tables)
  const renewed = { planId: plan.id, filledAt: null, closedAt: null }
  if (!needsApproval(caller, plan, config.approve)) return { ...renewed, ...renewedPeriod(job, plan, now) }
  announcePending(mail.outbox, tables, job.id)
  return { ...renewed, pending: true, renewing: true }
}

function requireRenewable(job: JobRow, now: number): void {
  const { id, pending, refusal, publishedAt, expiresAt } = job
  const conflict = (message: string) => new Problem('conflict', message)
  if (pending) throw conflict('The job is awaiting approval. Renew it once it is approved.')
  if (refusal !== null || publishedAt === null || publishedAt > now || wasNeverPublic(job))
    throw conflict(
      `The job is closed, and not approved or published yet. Reopen it instead (PUT /jobs/${id}/reopen.json).`,
    )
  if (expiresAt === null) throw conflict('The job never expires, so there is nothing to renew.')
  if (now < expiresAt - RENEWAL_WINDOW)
    throw conflict(
      `The job expires on ${timestamp(expiresAt)}. It can be renewed from ${timestamp(expiresAt - RENEWAL_WINDOW)} on.`,
    )
}

function renewalPlan(job: JobRow, planId: number | undefined, tables: TableReaders): PlanRow {
  const plan = planId === undefined ? planOf(job, tables) : tables.plans.get(planId)
  if (!plan) throw invalid({ plan_id: ["doesn't match any plan"] })
  if (!plan.archived) return plan
  if (planId !== undefined) throw invalid({ plan_id: ['matches a plan that is archived'] })
  throw new Problem('conflict', `The plan "${plan.name}" is archived. Choose another one with plan_id.`)
}

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
