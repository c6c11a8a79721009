import { type Caller, isAdmin, isOwner } from '../../base/caller.ts'
import { isBlank } from '../../base/text.ts'
import { statusOf } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { REQUIRED } from '../../validation/field.ts'
import { type Fields, isOptional, validate, type Validation } from '../../validation/validation.ts'
import { isSameLogo } from '../logos/rules.ts'
import { useHtmlDescription } from './htmlField.ts'
import { ImportedDraft, ImportedJob } from './importSchema.ts'
import { DraftFields, JobFields, NewJob } from './schema.ts'

/** The number of jobs that an account can create in a minute. Administrators have no limit. */
export const JOBS_PER_MINUTE = 60

/** Whether the caller may edit a job and see all its fields: its owner and administrators may. */
export const mayManage = (caller: Caller, job: Pick<JobRow, 'userId'>) =>
  isAdmin(caller) || isOwner(caller, job)

/** Whether the caller may see a job. */
export const maySee = (caller: Caller, job: JobRow, now: number) =>
  statusOf(job, now) === 'active' || mayManage(caller, job)

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

/**
 * Validates a job as it will be after an update: the fields that were sent, and the job's own values for the others. In a
 * draft, fields can be missing, and blank ones are cleared.
 */
export function validateChangedJob(job: JobRow, fields: Fields): Validation<DraftFields> {
  if (job.submittedAt === null) return validateDraft(fields, fieldsOf(job))
  const validation = validate(JobFields, fields, fieldsOf(job))
  validateTogether(validation)
  return validation
}

/** The fields that a draft can be without. */
const DRAFT_OPTIONAL = new Set(
  Object.keys(DraftFields.properties).filter(
    name =>
      isOptional(DraftFields, name) &&
      DraftFields.properties[name as keyof DraftFields].default === undefined,
  ),
)

/** Validates the fields of a draft that are given. @param before the draft's current values */
export function validateDraft(fields: Fields, before: ReadonlyMap<string, unknown> = new Map()) {
  const isCleared = (name: string) =>
    fields.values.has(name) && isBlank(fields.values.get(name)) && DRAFT_OPTIONAL.has(name)
  const kept = new Map([...before].filter(([name]) => !isCleared(name)))
  const validation = validate(DraftFields, fields, kept)
  useHtmlDescription(validation)
  validateCurrency(validation)
  return validation
}

/** Validates a job that is submitted. It must be complete and, unless it was published before, its plan available. */
export function validateSubmission(job: JobRow, tables: TableReaders): Validation<unknown> {
  const schema = job.publishedAt === null ? NewJob : JobFields
  const validation: Validation<DraftFields> = validate(
    schema,
    { values: new Map(), isForm: false },
    fieldsOf(job),
  )
  validateTogether(validation)
  validateReferences(tables, validation, validation.value('plan_id'))
  return validation
}

/**
 * Validates the fields of an imported job. If both a name and an id of a category, term or plan are given, the name counts.
 * @param isDraft whether only the title is required
 * @param now in milliseconds since 1970
 */
export function validateImportedJob(
  fields: Fields,
  isDraft: boolean,
  now: number,
): Validation<ImportedDraft> {
  const values = new Map(fields.values)
  for (const parent of PARENTS) if (!isBlank(values.get(parent))) values.delete(`${parent}_id`)
  const named = { isForm: fields.isForm, values }
  const validation: Validation<ImportedDraft> = isDraft
    ? validate(ImportedDraft, named)
    : validate(ImportedJob, named)
  useHtmlDescription(validation)
  if (!isDraft) {
    validateTogether(validation)
    for (const parent of PARENTS)
      if (!validation.has(parent) && !validation.has(`${parent}_id`)) validation.addError(parent, REQUIRED)
  }
  if ((validation.value('created_at') ?? now) > now)
    validation.addError('created_at', 'must not be in the future')
  return validation
}

/** The records that an imported job refers to, by name, or by id in a field that ends in `_id`. */
const PARENTS = ['category', 'term', 'plan'] as const

/**
 * Validates that the category, term and plan exist, and that the plan isn't archived. Reliable only in a transaction.
 * @param planId undefined if the plan stays as it is
 */
export function validateReferences(
  tables: TableReaders,
  validation: Validation<{ category_id?: number; term_id?: number; plan_id?: number }>,
  planId: number | undefined,
): void {
  const categoryId = validation.value('category_id')
  const termId = validation.value('term_id')
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
export function fieldsOf(job: JobRow): Map<string, unknown> {
  const values: [string, unknown][] = [
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
    ['application_url', job.applicationUrl],
    ['application_email', job.applicationEmail],
    ['category_id', job.categoryId],
    ['term_id', job.termId],
    ['plan_id', job.planId],
  ]
  return new Map(values.filter(([name, value]) => name === 'salary' || !isBlank(value)))
}

interface Dependent {
  description?: string
  description_html?: string
  salary?: number | null
  salary_currency?: string
  application_type?: string
  application_url?: string
  application_email?: string
}

/**
 * Validates fields that depend on others: the description in its two forms, the URL or address for applications, and the
 * currency of a salary.
 */
export function validateTogether(validation: Validation<Dependent>): void {
  useHtmlDescription(validation)
  const type = validation.value('application_type')
  if (type === 'url' && !validation.has('application_url')) validation.addError('application_url', REQUIRED)
  if (type === 'email' && !validation.has('application_email'))
    validation.addError('application_email', REQUIRED)
  validateCurrency(validation)
}

/** Validates that a salary has a currency. */
export function validateCurrency(validation: Validation<Dependent>): void {
  const { values } = validation.fields
  const isPaid = 'salary' in validation.errors || (validation.values.salary ?? null) !== null
  if (isPaid && values.has('salary_currency') && isBlank(values.get('salary_currency')))
    validation.addError('salary_currency', 'is required with a salary')
}
