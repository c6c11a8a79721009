import { writeAs } from '../../accounts/writeAs.ts'
import { ANONYMOUS, type Caller } from '../../base/caller.ts'
import { DAY, MINUTE, momentText } from '../../base/clock.ts'
import { invalid, Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { announcePending } from '../../mail/outbox.ts'
import { getOrThrow } from '../../store/lookup.ts'
import type { JobRow, PlanRow } from '../../store/rows.ts'
import type { TableReaders, Tables } from '../../store/tables.ts'
import type { JobServices } from './jobWriter.ts'
import { needsApproval, planOf, renewedPeriod, wasNeverPublic } from './publication.ts'
import { applyVerb, changeStatus } from './statusChange.ts'
import { OUTCOMES } from './verbs.ts'

/** How long before its end a job can be renewed. */
const RENEWAL_WINDOW = 14 * DAY
/** A renewal that is repeated within this time, as by a double click, changes nothing. */
const REPEAT_PERIOD = 10 * MINUTE

/** Returns what became of a job that was renewed, as the end of a sentence. */
export const renewalOutcome = ({ pending }: JobRow) =>
  pending ? 'is awaiting approval, and will be renewed then' : OUTCOMES.renew

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
    renewal(board, caller, tables, job, planId, now, 'Choose another one with plan_id.'),
  )

/** Renews a job without a caller, as its owner could, who got the link by mail. */
export function renewAsOwner(board: Board, id: number): Promise<JobRow> {
  return writeAs(board.store, ANONYMOUS, tables => {
    const job = getOrThrow(tables.jobs, id, 'job')
    const owner = tables.users.get(job.userId)
    const caller = owner ? { userId: owner.id, role: owner.role, epoch: owner.epoch } : ANONYMOUS
    return applyVerb(board, tables, job, 'renew', (_, __, now) =>
      renewal(board, caller, tables, job, undefined, now, 'Sign in to choose another one.'),
    )
  })
}

/**
 * Returns the columns that change when a job is renewed; undefined if that is repeated.
 * @param archivedHint what to do if the job's own plan is archived
 * @throws Problem 'conflict'
 */
export function renewal(
  { config, mail }: JobServices,
  caller: Caller,
  tables: Tables,
  job: JobRow,
  planId: number | undefined,
  now: number,
  archivedHint: string,
): Partial<JobRow> | undefined {
  if (isRepeated(job, planId, now)) return undefined
  requireRenewable(job, now)
  const plan = renewalPlan(job, planId, tables, archivedHint)
  const renewed = { planId: plan.id, renewedAt: now, filledAt: null, closedAt: null }
  if (!needsApproval(caller, plan, config.approve)) return { ...renewed, ...renewedPeriod(job, plan, now) }
  announcePending(mail.outbox, tables, job.id)
  return { ...renewed, pending: true, renewing: true }
}

/** Whether a job was just renewed on the same plan, or waits for that. */
function isRepeated(job: JobRow, planId: number | undefined, now: number): boolean {
  const { pending, renewing, renewedAt, filledAt, closedAt } = job
  const isRecent = renewedAt !== null && now < renewedAt + REPEAT_PERIOD
  const isSame = filledAt === null && closedAt === null && (planId ?? job.planId) === job.planId
  return isSame && (pending ? renewing : isRecent)
}

/** @throws Problem 'conflict' if the job can't be renewed now, which says why */
export function requireRenewable(job: JobRow, now: number): void {
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
      `The job expires on ${momentText(expiresAt)}. It can be renewed from ${momentText(expiresAt - RENEWAL_WINDOW)} on.`,
    )
}

function renewalPlan(
  job: JobRow,
  planId: number | undefined,
  tables: TableReaders,
  archivedHint: string,
): PlanRow {
  const plan = planId === undefined ? planOf(job, tables) : tables.plans.get(planId)
  if (!plan) throw invalid({ plan_id: ["doesn't match any plan"] })
  if (!plan.archived) return plan
  if (planId !== undefined) throw invalid({ plan_id: ['matches a plan that is archived'] })
  throw new Problem('conflict', `The plan "${plan.name}" is archived. ${archivedHint}`)
}
