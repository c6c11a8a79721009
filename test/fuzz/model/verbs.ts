import type { Status } from '../../../src/store/jobStatus.ts'
import { approved, faultsOf, mustWait, newDraft, planOf, refusalOf, renewedEnd, submission } from './jobs.ts'
import {
  type Caller,
  DAY,
  faulty,
  forAdmins,
  forUsers,
  type Job,
  MISSING,
  type Outcome,
  type Plans,
  type Records,
  SECOND,
  type User,
} from './records.ts'
import { ownJob, statusOf } from './shown.ts'

const CONFLICT: Outcome = { status: 409 }

/** The change of a verb: the columns that change, none if nothing does, or an error. */
type Change = (records: Records, job: Job, user: User) => Partial<Job> | Outcome | undefined

const isOutcome = (result: Partial<Job> | Outcome): result is Outcome => 'status' in result

/** Applies a verb to a job, unless it has one of the statuses. */
function apply(records: Records, job: Job, user: User, statuses: readonly Status[], change: Change): Outcome {
  if (statuses.includes(statusOf(job, records.now))) return CONFLICT
  const result = change(records, job, user)
  if (result && isOutcome(result)) return result
  if (result) records.jobs.change(job.id, { ...result, updatedAt: records.second })
  return { status: 200, says: job.title }
}

/** Names a step in reports. */
const named = (verb: string, step: (number: number) => Plans) =>
  Object.defineProperty(step, 'name', { value: `${verb}Job` })

/** Returns what a verb of owners and administrators does with a job. */
const ofOwner = (
  verb: string,
  statuses: readonly Status[],
  change: Change,
  bodyOf?: (records: Records) => object,
) =>
  named(verb, number => (records, who) => {
    const id = records.jobs.pick(number)
    const outcome = forUsers(who, user => {
      const job = records.jobs.get(id)
      const refused = refusalOf(records, user, job)
      return !job || refused ? (refused ?? MISSING) : apply(records, job, user, statuses, change)
    })
    const body = bodyOf?.(records)
    return { method: 'PUT', path: `/jobs/${id}/${verb}.json`, ...(body && { body }), outcome }
  })

export const submitJob = ofOwner('submit', ['filled', 'closed', 'expired'], (records, job, user) => {
  if (job.submittedAt !== null && job.refusal === null) return undefined
  const faults = faultsOf(job, {}, records)
  const plan = records.plans.get(job.plan)
  if (!plan || (plan.archived && job.publishedAt === null)) faults.push('plan_id')
  return faults.length > 0 ? faulty(faults) : submission(job, user, records)
})

export const fillJob = ofOwner(
  'fill',
  ['draft', 'pending', 'refused', 'scheduled', 'closed', 'expired'],
  ({ second }, job) => (job.filledAt === null ? { filledAt: second } : undefined),
)

export const closeJob = ofOwner('close', ['draft', 'expired'], ({ second }, job) =>
  job.closedAt === null ? { closedAt: second } : undefined,
)

export const reopenJob = ofOwner('reopen', ['draft', 'refused', 'expired'], ({ now, second }, job) => {
  if (job.filledAt === null && job.closedAt === null) return undefined
  const late = wasNeverPublic(job) ? { publishedAt: Math.max(second, job.publishedAt ?? 0) } : {}
  const columns = { filledAt: null, closedAt: null, ...late }
  return statusOf({ ...job, ...columns }, now) === 'expired' ? CONFLICT : columns
})

/** Whether a job was closed before it was published. */
const wasNeverPublic = ({ publishedAt, closedAt }: Job) =>
  publishedAt !== null && closedAt !== null && closedAt < publishedAt

const NOT_RENEWABLE = ['draft', 'refused', 'scheduled'] as const

export const renewJob = (number: number, planNumber?: number): Plans => {
  const planIn = (records: Records) => (planNumber === undefined ? undefined : records.plans.pick(planNumber))
  return ofOwner(
    'renew',
    NOT_RENEWABLE,
    (records, job, user) => renewal(records, job, user, planIn(records)),
    records => ({ plan_id: planIn(records) }),
  )(number)
}

function renewal(records: Records, job: Job, user: Caller, planId: number | undefined) {
  const { second, plans } = records
  if (isRepeated(job, planId, records.now)) return undefined
  const wasPublic = job.refusal === null && (job.publishedAt ?? Infinity) <= second && !wasNeverPublic(job)
  if (job.pending || !wasPublic || job.expiresAt === null) return CONFLICT
  if (second < job.expiresAt - 14 * DAY) return CONFLICT
  const plan = plans.get(planId ?? job.plan)
  if (!plan || plan.archived) return planId === undefined ? CONFLICT : faulty(['plan_id'])
  const columns = { plan: plan.id, renewedAt: second, filledAt: null, closedAt: null }
  return mustWait(user, plan, records.approval)
    ? { ...columns, pending: true, renewing: true }
    : { ...columns, expiresAt: renewedEnd(job, plan, second) }
}

/** Opens the link of a reminder (GET, which changes nothing) or presses its button (POST). `text` is the token. */
/** Whether a job was renewed on the same plan within ten minutes, or waits for that. */
function isRepeated(job: Job, planId: number | undefined, now: number): boolean {
  if ((planId ?? job.plan) !== job.plan || job.filledAt !== null || job.closedAt !== null) return false
  return job.pending ? job.renewing : job.renewedAt !== null && now < job.renewedAt + 600 * SECOND
}

export const renewByLink =
  (id: number, text: string, method: 'GET' | 'POST'): Plans =>
  records => ({
    method,
    path: `/jobs/${records.tokens.get(id)?.holder ?? 1}/renew.json?token=${text}`,
    outcome: () => {
      const token = records.tokens.get(id)
      if (token?.purpose !== 'renewal' || token.until <= records.now) return MISSING
      const job = records.jobs.get(token.holder)
      const owner = job && records.users.get(job.owner ?? 0)
      if (!job || !owner) return MISSING
      if (method === 'GET') return { status: 200 }
      return apply(records, job, owner, NOT_RENEWABLE, () => renewal(records, job, owner, undefined))
    },
  })

const ofAdmin = (verb: string, statuses: readonly Status[], change: Change, body?: object) =>
  named(verb, number => (records, who) => {
    const id = records.jobs.pick(number)
    const outcome = forAdmins(who, admin => {
      const job = records.jobs.get(id)
      return job ? apply(records, job, admin, statuses, change) : MISSING
    })
    return { method: 'PUT', path: `/jobs/${id}/${verb}.json`, ...(body && { body }), outcome }
  })

export const approveJob = ofAdmin('approve', ['draft', 'refused'], (records, job) =>
  job.pending ? approved(job, planOf(job, records), records.second) : undefined,
)

export const refuseJob = (number: number, reason: string): Plans =>
  ofAdmin(
    'refuse',
    ['draft', 'scheduled', 'active', 'filled', 'closed', 'expired'],
    (_, job) => (job.refusal === reason ? undefined : { pending: false, refusal: reason }),
    { reason },
  )(number)

export const duplicateJob =
  (number: number): Plans =>
  (records, who) => {
    const id = records.jobs.pick(number)
    const outcome = forUsers(who, user => {
      const job = records.jobs.get(id)
      const refused = refusalOf(records, user, job)
      if (!job || refused) return refused ?? MISSING
      const plan = records.plans.get(job.plan)?.archived === false ? job.plan : 0
      const copy = { ...job, ...newDraft(records.second), plan, owner: user.id }
      return { status: 201, body: ownJob(records, records.jobs.add(copy)) }
    })
    return { method: 'POST', path: `/jobs/${id}/duplicate.json`, outcome }
  }

/** Deletes drafts that nobody changed for 90 days, as a board does at its start. */
export function removeOldDrafts(records: Records): void {
  for (const { id, submittedAt, updatedAt } of records.jobs.all)
    if (submittedAt === null && updatedAt + 90 * DAY <= records.now) records.jobs.remove(id)
}
