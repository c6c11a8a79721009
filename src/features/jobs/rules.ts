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

/** Whether the caller may edit a job and see all its fields: its owner and administrators may. */
export const mayManage = (caller: Caller, job: Pick<JobRow, 'userId'>) =>
  isAdmin(caller) || isOwner(caller, job)

/** Whether the caller may see a job. */
export const maySee = (caller: Caller, job: JobRow, now: number) =>
  statusOf(job, now) === 'active' || mayManage(caller, job)

/** Whether a job that the caller posts on this plan needs an administrator's approval. */
export const needsApproval = (caller: Caller, plan: PlanRow, approval: Approval) =>
  !isAdmin(caller) && (approval === 'all' || (approval === 'paid' && plan.price > 0))

/**
 * The columns that an administrator reviews before approving a job, in addition to its logo. If its owner changes one of
 * them, the job needs another approval. The other columns (salary, arrangement, category and term) can't be abused,
 * because each is a number or one of a few values.
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

/** Whether a reviewed column or the logo has changed. Sending the same image again is not a change. */
export const needsReview = (before: JobRow, after: JobRow) =>
  REVIEWED.some(column => before[column] !== after[column]) || !isSameLogo(before.logo, after.logo)

/** Returns the expiry of a job whose period starts at `start`; null if it never expires, or after the last timestamp. */
export function periodEndOf(start: number, plan: PlanRow): number | null {
  const end = start + plan.period * DAY
  return plan.period === 0 || end > MAX_TIME ? null : end
}

/** Validates a job as it will be after an update: the fields that were sent, and the job's own values for the others. */
export function validateChangedJob(job: JobRow, fields: Fields) {
  const validation = validate(JobFields, fields, fieldsOf(job))
  validateTogether(validation)
  return validation
}

/**
 * Validates the fields of an imported job. If both a name and an id of a category, term or plan are given, the name counts.
 * @param now in milliseconds since 1970
 */
export function validateImportedJob(fields: Fields, now: number) {
  const values = new Map(fields.values)
  for (const parent of PARENTS) if (!isBlank(values.get(parent))) values.delete(`${parent}_id`)
  const validation = validate(ImportedJob, { isForm: fields.isForm, values })
  validateTogether(validation)
  for (const parent of PARENTS)
    if (!validation.has(parent) && !validation.has(`${parent}_id`)) validation.addError(parent, REQUIRED)
  if ((validation.value('created_at') ?? now) > now)
    validation.addError('created_at', 'must not be in the future')
  return validation
}

/** The records that an imported job refers to, by name, or by id in a field that ends in `_id`. */
const PARENTS = ['category', 'term', 'plan'] as const

/**
 * Validates the fields that can't be changed, which a client may send back as it read them. Only administrators may change
 * the expiry, and nobody the plan.
 */
export function validateFixedFields(caller: Caller, job: JobRow, fields: Fields) {
  const validation = validate(FixedFields, fields)
  const planId = validation.value('plan_id')
  const expiresAt = validation.value('expires_at')
  if (planId !== undefined && planId !== job.planId)
    validation.addError('plan_id', "can't be changed after posting")
  if (expiresAt !== undefined && expiresAt !== job.expiresAt && !isAdmin(caller))
    validation.addError('expires_at', 'can only be changed by an administrator')
  return validation
}

/** Validates that the category, term and plan exist, and that the plan isn't archived. Reliable only in a transaction. */
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

/** Returns a job as the fields of a request that would create it. */
function fieldsOf(job: JobRow): Map<string, unknown> {
  const values = new Map<string, unknown>([
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
  if (job.applicationUrl !== '') values.set('application_url', job.applicationUrl)
  if (job.applicationEmail !== '') values.set('application_email', job.applicationEmail)
  return values
}

interface Dependent {
  salary?: number | null
  salary_currency?: string
  application_type?: string
  application_url?: string
  application_email?: string
}

/** Validates fields that depend on others: the URL or address for applications, and the currency of a salary. */
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
