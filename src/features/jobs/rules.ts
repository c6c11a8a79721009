import { type Caller, isAdmin, owns } from '../../base/caller.ts'
import { check, type Draft, type Sent } from '../../base/check.ts'
import { DAY, END_OF_TIME } from '../../base/clock.ts'
import { REQUIRED } from '../../base/kind.ts'
import { statusOf } from '../../search/listing.ts'
import type { JobRow, PlanRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { Expiry, ForeignJob, NewJob, StatedJob } from './schema.ts'

export type Approval = 'none' | 'paid' | 'all'

/** Whether the caller sees what only the owner and administrators see. */
export const mayManage = (caller: Caller, job: Pick<JobRow, 'userId'>) => isAdmin(caller) || owns(caller, job)

/** Whether a job is there for this caller at all. */
export const maySee = (caller: Caller, job: JobRow, now: number) =>
  statusOf(job, now) === 'active' || mayManage(caller, job)

/** Whether a new job waits for an administrator. */
export const mustWait = (caller: Caller, plan: PlanRow, approval: Approval) =>
  !isAdmin(caller) && (approval === 'all' || (approval === 'paid' && plan.price > 0))

/** When a job ends that counts from `start`; null is never, and so is what no timestamp can tell. */
export function endOf(start: number, plan: PlanRow): number | null {
  const end = start + plan.period * DAY
  return plan.period === 0 || end > END_OF_TIME ? null : end
}

/** A new job, as far as what was sent goes. */
export function draftJob(sent: Sent) {
  const draft = check(NewJob, withoutIdleBlanks(sent))
  requireApplication(draft)
  return draft
}

/** A job as it will be: what was sent over what it is, and the same rules for the whole. */
export function redraftJob(job: JobRow, sent: Sent) {
  const before = statedBy(job)
  const whole = { form: sent.form, values: new Map([...before, ...withoutIdleBlanks(sent, before).values]) }
  const draft = check(StatedJob, whole)
  requireApplication(draft)
  if (sent.values.has('plan_id')) draft.refuse('plan_id', 'cannot be changed once the job is there')
  return draft
}

/**
 * A job that was made elsewhere, as far as what was sent goes. Where both a name and an id are given, the name counts.
 * @param now in milliseconds since 1970
 */
export function draftForeignJob(sent: Sent, now: number) {
  const values = new Map(withoutIdleBlanks(sent).values)
  for (const name of [...PARENTS.flatMap(parent => [parent, `${parent}_id`]), 'created_at'])
    if (isBlank(values.get(name))) values.delete(name)
  for (const parent of PARENTS) if (values.has(parent)) values.delete(`${parent}_id`)
  const draft = check(ForeignJob, { form: sent.form, values })
  requireApplication(draft)
  for (const parent of PARENTS)
    if (!values.has(parent) && !values.has(`${parent}_id`)) draft.refuse(parent, REQUIRED)
  if ((draft.value('created_at') ?? now) > now) draft.refuse('created_at', 'must not be in the future')
  return draft
}

/** What a job refers to: by its name, or with `_id` after it by its id. */
const PARENTS = ['category', 'term', 'plan'] as const

/** The expiry that an administrator sent; from others it is as good as not sent. */
export const draftExpiry = (caller: Caller, sent: Sent) =>
  check(Expiry, isAdmin(caller) ? sent : { ...sent, values: new Map() })

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
const statedBy = (job: JobRow) =>
  new Map<string, unknown>([
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
    [`application_${job.applicationType}`, job.application],
    ['category_id', job.categoryId],
    ['term_id', job.termId],
  ])

/** Whether a value is as good as none. */
export const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** A blank where nothing is needed is as good as not sent: a currency without a salary, the other kind of application. */
function withoutIdleBlanks(sent: Sent, before: ReadonlyMap<string, unknown> = new Map()): Sent {
  const values = new Map(sent.values)
  const willBe = (name: string) => (values.has(name) ? values : before).get(name)
  const idle = [willBe('application_type') === 'email' ? 'application_url' : 'application_email']
  if (isBlank(willBe('salary'))) idle.push('salary_currency')
  for (const name of idle) if (isBlank(values.get(name))) values.delete(name)
  return { form: sent.form, values }
}

interface Application {
  application_type?: string
  application_url?: string
  application_email?: string
}

function requireApplication(draft: Draft<Application>) {
  const type = draft.value('application_type')
  if (type === 'url' && draft.values.application_url === undefined) draft.refuse('application_url', REQUIRED)
  if (type === 'email' && draft.values.application_email === undefined)
    draft.refuse('application_email', REQUIRED)
}
