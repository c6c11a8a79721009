import { type Caller, isAdmin } from '../../base/caller.ts'
import { DAY, MAX_TIME } from '../../base/clock.ts'
import { remindersUntil } from '../../mail/reminders.ts'
import type { JobRow, PlanRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { type Fields, validatePatch, Validation } from '../../validation/validation.ts'
import { PublicationFields } from './schema.ts'

/** How far ahead a job can be scheduled. */
const MAX_SCHEDULE = 365 * DAY

export type Approval = 'none' | 'paid' | 'all'

/** Whether a job that the caller posts on this plan needs an administrator's approval. */
export const needsApproval = (caller: Caller, plan: PlanRow, approval: Approval) =>
  !isAdmin(caller) && (approval === 'all' || (approval === 'paid' && plan.price > 0))

/** Returns the start of a job's period if it is approved now. */
export const startOf = ({ publishAt }: Pick<JobRow, 'publishAt'>, now: number) =>
  Math.max(now, publishAt ?? 0)

/** Returns the expiry of a job whose period starts at `start`; null if it never expires, or after the last timestamp. */
export function periodEndOf(start: number, plan: PlanRow): number | null {
  const end = start + plan.period * DAY
  return plan.period === 0 || end > MAX_TIME ? null : end
}

/** The columns of a job that was never submitted. */
export const newDraft = (now: number) => ({
  pending: false,
  renewing: false,
  refusal: null,
  createdAt: now,
  updatedAt: now,
  submittedAt: null,
  publishAt: null,
  publishedAt: null,
  filledAt: null,
  closedAt: null,
  expiresAt: null,
  remindedOf: null,
  reminders: 0,
  renewedAt: null,
  warnedAt: null,
  claimEmail: null,
  source: null,
  externalId: null,
})

/** Returns the columns that change when a job is submitted: it is pending, or published now or at its time. */
export function submissionOf(
  caller: Caller,
  job: Omit<JobRow, 'id'>,
  tables: TableReaders,
  approval: Approval,
  now: number,
) {
  const plan = planOf(job, tables)
  const submitted = { submittedAt: job.submittedAt ?? now, refusal: null, updatedAt: now }
  return needsApproval(caller, plan, approval)
    ? { ...submitted, pending: true }
    : { ...submitted, pending: false, ...approvalOf(job, plan, now) }
}

/**
 * Returns the columns that change when a job is approved. Its period starts, unless it was published before. If it waits to be
 * renewed, it gets another period.
 */
export function approvalOf(job: Omit<JobRow, 'id'>, plan: PlanRow, now: number): Partial<JobRow> {
  const approved = { pending: false, renewing: false }
  if (job.publishedAt === null) {
    const publishedAt = startOf(job, now)
    return { ...approved, publishedAt, expiresAt: periodEndOf(publishedAt, plan) }
  }
  return job.renewing ? { ...approved, ...renewedPeriod(job, plan, now) } : approved
}

/**
 * Returns the columns of a job that is renewed: another period, from now or from its end. Reminders that would be due at once,
 * because the period is short, are left out.
 */
export function renewedPeriod({ expiresAt: end }: Pick<JobRow, 'expiresAt'>, plan: PlanRow, now: number) {
  const expiresAt = periodEndOf(Math.max(now, end ?? now), plan)
  return {
    expiresAt,
    remindedOf: expiresAt,
    reminders: expiresAt === null ? 0 : remindersUntil(expiresAt, now),
  }
}

/** Returns the plan of a job that was submitted. */
export function planOf({ planId }: Pick<JobRow, 'planId'>, tables: TableReaders): PlanRow {
  const plan = tables.plans.get(planId)
  if (!plan) throw new Error('A submitted job has no plan.')
  return plan
}

/** The changes of the columns that decide when a job is public. */
export interface PublicationPatch {
  planId?: number
  publishAt?: number | null
  expiresAt?: number | null
}

/**
 * Validates the fields that decide when a job is public. A client may send back the values that it read.
 * @param job undefined for a new job
 */
export function validatePublication(
  caller: Caller,
  job: JobRow | undefined,
  fields: Fields,
  now: number,
): Validation<PublicationPatch> {
  const { errors, values } = validatePatch(PublicationFields, job ? fields : onlyPublishAt(fields))
  const patch: PublicationPatch = {}
  const validation = new Validation<PublicationPatch>(patch, fields)
  validation.addErrors(errors)
  const { plan_id: planId, publish_at: publishAt, expires_at: expiresAt } = values
  if (job && planId !== undefined && planId !== job.planId) {
    if (mayChangePlan(job)) patch.planId = planId
    else validation.addError('plan_id', "can't be changed after posting")
  }
  if (publishAt !== undefined && publishAt !== (job?.publishAt ?? null)) {
    patch.publishAt = publishAt
    const error = publishAtError(job, publishAt, now)
    if (error !== undefined) validation.addError('publish_at', error)
  }
  if (job && expiresAt !== undefined && expiresAt !== job.expiresAt) {
    if (isAdmin(caller)) patch.expiresAt = expiresAt
    else validation.addError('expires_at', 'can only be changed by an administrator')
  }
  return validation
}

/** Returns the only field of these that a new job has: its plan is validated with the others, and its end follows. */
const onlyPublishAt = (fields: Fields): Fields => ({
  ...fields,
  values: new Map([...fields.values].filter(([name]) => name === 'publish_at')),
})

/** Whether the job's plan can still be changed: until it is submitted, and after it was refused before it was ever public. */
export const mayChangePlan = (job: JobRow) =>
  job.submittedAt === null || (job.refusal !== null && job.publishedAt === null)

function publishAtError(job: JobRow | undefined, publishAt: number | null, now: number): string | undefined {
  if (job && job.publishedAt !== null && job.publishedAt <= now) return "can't be changed after publication"
  if (publishAt === null) return undefined
  if (publishAt <= now) return 'must be in the future'
  return publishAt > now + MAX_SCHEDULE ? 'must be within a year' : undefined
}

/** Whether a job was closed before the time of its publication. */
export const wasNeverPublic = ({ publishedAt, closedAt }: JobRow) =>
  publishedAt !== null && closedAt !== null && publishedAt > closedAt
