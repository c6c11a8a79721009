import { type Caller, isAdmin, owns } from '../../base/caller.ts'
import { check, type Draft, type Sent } from '../../base/check.ts'
import { DAY, END_OF_TIME } from '../../base/clock.ts'
import { REQUIRED } from '../../base/kind.ts'
import { isBlank } from '../../base/text.ts'
import { statusOf } from '../../search/listing.ts'
import type { JobRow, PlanRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { isSameLogo } from '../logos/rules.ts'
import { ForeignJob, KeptFields, NewJob, StatedJob } from './schema.ts'

export type Approval = 'none' | 'paid' | 'all'

/** Whether the caller sees what only the owner and administrators see. */
export const mayManage = (caller: Caller, job: Pick<JobRow, 'userId'>) => isAdmin(caller) || owns(caller, job)

/** Whether a job is there for this caller at all. */
export const maySee = (caller: Caller, job: JobRow, now: number) =>
  statusOf(job, now) === 'active' || mayManage(caller, job)

/** Whether what the caller says in a job on this plan waits for an administrator. */
export const mustWait = (caller: Caller, plan: PlanRow, approval: Approval) =>
  !isAdmin(caller) && (approval === 'all' || (approval === 'paid' && plan.price > 0))

/**
 * What an administrator looks at before approving a job: its words, its links and addresses, and its logo. An owner who
 * changes one of them after the approval needs another. The rest (salary, arrangement, category and term) can only be
 * one of a few values or a number, so nothing can be smuggled in by it.
 */
const REVIEWED = [
  'title',
  'description',
  'location',
  'company',
  'companyWebsite',
  'applicationType',
  'applicationUrl',
  'applicationEmail',
] as const satisfies readonly (keyof JobRow)[]

/** Whether something that was reviewed is no longer what it was. The same picture sent again is the same logo. */
export const needsReview = (before: JobRow, after: JobRow) =>
  REVIEWED.some(column => before[column] !== after[column]) || !isSameLogo(before.logo, after.logo)

/** When a job ends that counts from `start`; null is never, and so is what no timestamp can tell. */
export function endOf(start: number, plan: PlanRow): number | null {
  const end = start + plan.period * DAY
  return plan.period === 0 || end > END_OF_TIME ? null : end
}

/** A new job, as far as what was sent goes. */
export function draftJob(sent: Sent) {
  const draft = check(NewJob, sent)
  requireTogether(draft, sent)
  return draft
}

/** A job as it will be: what was sent over what it is, and the same rules for the whole. */
export function redraftJob(job: JobRow, sent: Sent) {
  const draft = check(StatedJob, sent, statedBy(job))
  requireTogether(draft, sent)
  return draft
}

/**
 * A job that was made elsewhere, as far as what was sent goes. Where both a name and an id are given, the name counts.
 * @param now in milliseconds since 1970
 */
export function draftForeignJob(sent: Sent, now: number) {
  const values = new Map(sent.values)
  for (const parent of PARENTS) if (!isBlank(values.get(parent))) values.delete(`${parent}_id`)
  const draft = check(ForeignJob, { form: sent.form, values })
  requireTogether(draft, sent)
  for (const parent of PARENTS)
    if (!draft.tells(parent) && !draft.tells(`${parent}_id`)) draft.refuse(parent, REQUIRED)
  if ((draft.value('created_at') ?? now) > now) draft.refuse('created_at', 'must not be in the future')
  return draft
}

/** What a job refers to: by its name, or with `_id` after it by its id. */
const PARENTS = ['category', 'term', 'plan'] as const

/**
 * What was sent of the fields that stay as they are: a client may send back the job that it read. An administrator may
 * change the expiry, and nobody the plan.
 */
export function draftKept(caller: Caller, job: JobRow, sent: Sent) {
  const draft = check(KeptFields, sent)
  const planId = draft.value('plan_id')
  const expiresAt = draft.value('expires_at')
  if (planId !== undefined && planId !== job.planId) draft.refuse('plan_id', "can't be changed after posting")
  if (expiresAt !== undefined && expiresAt !== job.expiresAt && !isAdmin(caller))
    draft.refuse('expires_at', 'can only be changed by an administrator')
  return draft
}

/** What a job refers to must be there; a plan must also be on offer. For sure only inside a transaction. */
export function refuseDangling(
  tables: TableReaders,
  draft: Draft<{ category_id?: number; term_id?: number; plan_id?: number }>,
): void {
  const categoryId = draft.value('category_id')
  const termId = draft.value('term_id')
  const planId = draft.value('plan_id')
  if (categoryId !== undefined && !tables.categories.has(categoryId))
    draft.refuse('category_id', 'is not the id of a category')
  if (termId !== undefined && !tables.terms.has(termId)) draft.refuse('term_id', 'is not the id of a term')
  if (planId === undefined) return
  const plan = tables.plans.get(planId)
  if (!plan) draft.refuse('plan_id', 'is not the id of a plan')
  else if (plan.archived) draft.refuse('plan_id', 'is the id of a plan that is not offered any more')
}

/** A job as the fields that it could be sent by. */
function statedBy(job: JobRow): Map<string, unknown> {
  const stated = new Map<string, unknown>([
    ['title', job.title],
    ['description', job.description],
    ['location', job.location],
    ['arrangement', job.arrangement],
    ['salary', job.salary],
    ['salary_currency', job.salaryCurrency],
    ['salary_period', job.salaryPeriod],
    ['company', job.company],
    ['company_website', job.companyWebsite],
    ['application_type', job.applicationType],
    ['category_id', job.categoryId],
    ['term_id', job.termId],
  ])
  if (job.applicationUrl !== '') stated.set('application_url', job.applicationUrl)
  if (job.applicationEmail !== '') stated.set('application_email', job.applicationEmail)
  return stated
}

interface Dependent {
  salary?: number | null
  salary_currency?: string
  application_type?: string
  application_url?: string
  application_email?: string
}

/** What is required because of another field: the address that the type of application chooses, a salary's currency. */
function requireTogether(draft: Draft<Dependent>, { values }: Sent) {
  const type = draft.value('application_type')
  if (type === 'url' && !draft.tells('application_url')) draft.refuse('application_url', REQUIRED)
  if (type === 'email' && !draft.tells('application_email')) draft.refuse('application_email', REQUIRED)
  const isPaid = 'salary' in draft.faults || (draft.values.salary ?? null) !== null
  if (isPaid && values.has('salary_currency') && isBlank(values.get('salary_currency')))
    draft.refuse('salary_currency', 'is required with a salary')
}
