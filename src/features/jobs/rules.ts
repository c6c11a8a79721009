import { type Caller, isAdmin, isOwner } from '../../base/caller.ts'
import { DAY, MAX_TIME } from '../../base/clock.ts'
import { isBlank } from '../../base/text.ts'
import { statusOf } from '../../search/jobIndex.ts'
import type { JobRow, PlanRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { REQUIRED } from '../../validation/field.ts'
import { type Fields, validate, type Validation } from '../../validation/validation.ts'
import { isSameLogo } from '../logos/rules.ts'
import { FixedFields, ImportedJob, JobFields } from './schema.ts'

export type Approval = 'none' | 'paid' | 'all'

/** Whether the caller sees what only the owner and administrators see. */
export const mayManage = (caller: Caller, job: Pick<JobRow, 'userId'>) =>
  isAdmin(caller) || isOwner(caller, job)

/** Whether a job is there for this caller at all. */
export const maySee = (caller: Caller, job: JobRow, now: number) =>
  statusOf(job, now) === 'active' || mayManage(caller, job)

/** Whether what the caller says in a job on this plan waits for an administrator. */
export const needsApproval = (caller: Caller, plan: PlanRow, approval: Approval) =>
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
export function periodEndOf(start: number, plan: PlanRow): number | null {
  const end = start + plan.period * DAY
  return plan.period === 0 || end > MAX_TIME ? null : end
}

/** Validates a job as it will be: the fields that were sent, and the job's own values for the others. */
export function validateChangedJob(job: JobRow, fields: Fields) {
  const validation = validate(JobFields, fields, statedBy(job))
  validateTogether(validation)
  return validation
}

/**
 * A job that was made elsewhere, as far as what was sent goes. Where both a name and an id are given, the name counts.
 * @param now in milliseconds since 1970
 */
export function validateImportedJob(fields: Fields, now: number) {
  const values = new Map(fields.values)
  for (const parent of PARENTS) if (!isBlank(values.get(parent))) values.delete(`${parent}_id`)
  const validation = validate(ImportedJob, { form: fields.form, values })
  validateTogether(validation)
  for (const parent of PARENTS)
    if (!validation.has(parent) && !validation.has(`${parent}_id`)) validation.addError(parent, REQUIRED)
  if ((validation.value('created_at') ?? now) > now)
    validation.addError('created_at', 'must not be in the future')
  return validation
}

/** What a job refers to: by its name, or with `_id` after it by its id. */
const PARENTS = ['category', 'term', 'plan'] as const

/**
 * What was sent of the fields that stay as they are: a client may send back the job that it read. An administrator may
 * change the expiry, and nobody the plan.
 */
export function draftKept(caller: Caller, job: JobRow, fields: Fields) {
  const validation = validate(FixedFields, fields)
  const planId = validation.value('plan_id')
  const expiresAt = validation.value('expires_at')
  if (planId !== undefined && planId !== job.planId)
    validation.addError('plan_id', "can't be changed after posting")
  if (expiresAt !== undefined && expiresAt !== job.expiresAt && !isAdmin(caller))
    validation.addError('expires_at', 'can only be changed by an administrator')
  return validation
}

/** What a job refers to must be there; a plan must also be on offer. For sure only inside a transaction. */
export function validateReferences(
  tables: TableReaders,
  validation: Validation<{ category_id?: number; term_id?: number; plan_id?: number }>,
): void {
  const categoryId = validation.value('category_id')
  const termId = validation.value('term_id')
  const planId = validation.value('plan_id')
  if (categoryId !== undefined && !tables.categories.has(categoryId))
    validation.addError('category_id', "doesn't match any category")
  if (termId !== undefined && !tables.terms.has(termId))
    validation.addError('term_id', "doesn't match any employment term")
  if (planId === undefined) return
  const plan = tables.plans.get(planId)
  if (!plan) validation.addError('plan_id', "doesn't match any plan")
  else if (plan.archived) validation.addError('plan_id', 'matches a plan that is archived')
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

/** Validates what depends on another field: the address that the type of application requires, a salary's currency. */
export function validateTogether(validation: Validation<Dependent>): void {
  const { values } = validation.fields
  const type = validation.value('application_type')
  if (type === 'url' && !validation.has('application_url')) validation.addError('application_url', REQUIRED)
  if (type === 'email' && !validation.has('application_email'))
    validation.addError('application_email', REQUIRED)
  const isPaid = 'salary' in validation.errors || (validation.values.salary ?? null) !== null
  if (isPaid && values.has('salary_currency') && isBlank(values.get('salary_currency')))
    validation.addError('salary_currency', 'is required with a salary')
}
