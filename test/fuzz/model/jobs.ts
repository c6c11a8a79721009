import {
  type Approval,
  type Caller,
  DAY,
  faulty,
  FORBIDDEN,
  forUsers,
  isAdmin,
  type Job,
  MISSING,
  type Outcome,
  type Plan,
  type Plans,
  type Records,
  SECOND,
  type User,
} from './records.ts'
import { DESCRIPTION, manages, ownJob, sees, shownJob, WEBSITE } from './shown.ts'

/** The fields of a job to send. Numbers are replaced by existing ids when the request is sent. */
export interface JobInput {
  readonly title?: string
  readonly company?: string | null
  readonly location?: string | null
  readonly arrangement?: string | null
  readonly salary?: number | string | null
  readonly salary_currency?: string | null
  readonly salary_period?: string | null
  readonly application_type?: string | null
  readonly application_url?: string | null
  readonly application_email?: string | null
  readonly expires_at?: string | null
  readonly publish_at?: string | null
  readonly draft?: boolean
  readonly category?: number
  readonly term?: number
  readonly plan?: number
}

/** Returns the body with these fields. */
function bodyOf({ category, term, plan, ...input }: JobInput, records: Records) {
  return {
    ...input,
    ...(category !== undefined && { category_id: records.categories.pick(category) }),
    ...(term !== undefined && { term_id: records.terms.pick(term) }),
    ...(plan !== undefined && { plan_id: records.plans.pick(plan) }),
  }
}

type Body = ReturnType<typeof bodyOf>

/** The defaults of a new job. */
const BLANK = {
  title: '',
  company: '',
  location: '',
  arrangement: 'remote',
  salary: null,
  currency: 'USD',
  period: 'monthly',
  applicationType: 'url',
  url: '',
  email: '',
  category: 0,
  term: 0,
}

type JobFields = Pick<Job, keyof typeof BLANK>

/** Returns a text after an update. In a draft, a blank one clears it. */
function updatedText(before: string, input: string | null | undefined, isDraft: boolean): string {
  if (isDraft && (input === null || input?.trim() === '')) return ''
  return input?.trim() ?? before
}

/** Returns a job's fields after an update. */
function updatedFields(before: JobFields, input: Body, isDraft: boolean): JobFields {
  const applicationType = input.application_type || before.applicationType
  return {
    title: input.title?.trim() ?? before.title,
    company: updatedText(before.company, input.company, isDraft),
    location: updatedText(before.location, input.location, isDraft),
    arrangement: input.arrangement || before.arrangement,
    salary: input.salary === undefined ? before.salary : salaryOf(input.salary),
    currency: input.salary_currency?.toUpperCase() || before.currency,
    period: input.salary_period || before.period,
    applicationType,
    url: updatedText(
      before.url,
      input.application_url || (isDraft ? input.application_url : undefined),
      isDraft,
    ),
    email: updatedText(
      before.email,
      input.application_email || (isDraft ? input.application_email : undefined),
      isDraft,
    ),
    category: input.category_id ?? before.category,
    term: input.term_id ?? before.term,
  }
}

const salaryOf = (input: number | string | null) => (input === null || input === '' ? null : Number(input))

/** A salary requires a currency. */
const lacksCurrency = (fields: JobFields, input: Body) =>
  fields.salary !== null && (input.salary_currency === '' || input.salary_currency === null)

/** Returns the wrong fields of a draft, from which others can be missing. */
function faultsOfDraft(fields: JobFields, input: Body, { categories, terms }: Records): string[] {
  const isRight = {
    title: fields.title !== '' && [...fields.title].length <= 64,
    salary_currency: !lacksCurrency(fields, input),
    category_id: fields.category === 0 || categories.get(fields.category) !== undefined,
    term_id: fields.term === 0 || terms.get(fields.term) !== undefined,
  }
  return Object.entries(isRight).flatMap(([field, right]) => (right ? [] : [field]))
}

export function faultsOf(fields: JobFields, input: Body, { categories, terms }: Records): string[] {
  const isRight = {
    title: fields.title !== '' && [...fields.title].length <= 64,
    company: fields.company !== '',
    location: fields.location !== '',
    [`application_${fields.applicationType}`]:
      (fields.applicationType === 'url' ? fields.url : fields.email) !== '',
    salary_currency: !lacksCurrency(fields, input),
    category_id: categories.get(fields.category) !== undefined,
    term_id: terms.get(fields.term) !== undefined,
  }
  return Object.entries(isRight).flatMap(([field, right]) => (right ? [] : [field]))
}

/** Returns when a plan's period ends that starts at a time. */
const endOf = (start: number, period: number) => (period === 0 ? null : start + period * DAY)

export const postJob =
  (input: JobInput): Plans =>
  (records, who) => {
    const body = { description: DESCRIPTION, company_website: WEBSITE, ...bodyOf(input, records) }
    const outcome = forUsers(who, user => {
      const { plans, jobs, second } = records
      const isDraft = body.draft === true
      const fields = updatedFields(BLANK, body, isDraft)
      const plan = plans.get(body.plan_id ?? 0)
      const faults = (isDraft ? faultsOfDraft : faultsOf)(fields, body, records)
      const hasPlan = plan ? !plan.archived : isDraft && body.plan_id === undefined
      if (!hasPlan) faults.push('plan_id')
      const publishAt = momentOf(body.publish_at)
      if (isWrongTime(publishAt, records.now)) faults.push('publish_at')
      if (faults.length > 0) return faulty(faults)
      const draft = { ...newDraft(second), ...fields, publishAt, plan: plan?.id ?? 0, owner: user.id }
      const job = jobs.add({ ...draft, ...(!isDraft && submission(draft, user, records)) })
      return { status: 201, body: ownJob(records, job) }
    })
    return { method: 'POST', path: '/jobs.json', body, outcome }
  }

/** The columns of a job that was never submitted. */
export const newDraft = (second: number) => ({
  pending: false,
  renewing: false,
  renewedAt: null,
  refusal: null,
  createdAt: second,
  updatedAt: second,
  submittedAt: null,
  publishAt: null,
  publishedAt: null,
  filledAt: null,
  closedAt: null,
  expiresAt: null,
})

type NewJob = Omit<Job, 'id'>

/** Returns the columns that a submission changes. */
export function submission(job: NewJob, user: User, records: Records): Partial<Job> {
  const plan = planOf(job, records)
  const submitted = {
    submittedAt: job.submittedAt ?? records.second,
    refusal: null,
    updatedAt: records.second,
  }
  if (mustWait(user, plan, records.approval)) return { ...submitted, pending: true }
  return { ...submitted, ...approved(job, plan, records.second) }
}

/** Returns the columns that an approval changes: the period starts, unless it did before, or another one is added. */
export function approved(job: NewJob, plan: Plan, second: number): Partial<Job> {
  const columns = { pending: false, renewing: false }
  if (job.publishedAt === null) {
    const publishedAt = Math.max(second, job.publishAt ?? 0)
    return { ...columns, publishedAt, expiresAt: endOf(publishedAt, plan.period) }
  }
  return job.renewing ? { ...columns, expiresAt: renewedEnd(job, plan, second) } : columns
}

export const renewedEnd = ({ expiresAt }: NewJob, plan: Plan, second: number) =>
  endOf(Math.max(second, expiresAt ?? second), plan.period)

export function planOf(job: NewJob, { plans }: Records): Plan {
  const plan = plans.get(job.plan)
  if (!plan) throw new Error('the reference has a submitted job without a plan')
  return plan
}

const momentOf = (input: string | null | undefined) =>
  input === null || input === undefined ? null : Math.floor(Date.parse(input) / SECOND) * SECOND

const isWrongTime = (publishAt: number | null, now: number) =>
  publishAt !== null && (publishAt <= now || publishAt > now + 365 * DAY)

export const mustWait = (user: User | undefined, plan: Plan, approval: Approval) =>
  !isAdmin(user) && (approval === 'all' || (approval === 'paid' && plan.price > 0))

/** The fields whose change by an owner needs approval. */
const REVIEWED = ['title', 'company', 'location', 'applicationType', 'url', 'email'] as const

/** Returns the error for a caller who may not manage a job, or undefined. */
export function refusalOf(records: Records, who: Caller, job: Job | undefined): Outcome | undefined {
  if (!job || !sees(records, who, job)) return MISSING
  return manages(who, job) ? undefined : FORBIDDEN
}

export const putJob =
  (number: number, input: JobInput): Plans =>
  (records, who) => {
    const id = records.jobs.pick(number)
    const body = bodyOf(input, records)
    const outcome = forUsers(who, user => {
      const job = records.jobs.get(id)
      const refused = refusalOf(records, user, job)
      if (!job || refused) return refused ?? MISSING
      const isDraft = job.submittedAt === null
      const fields = updatedFields(job, body, isDraft)
      const faults = (isDraft ? faultsOfDraft : faultsOf)(fields, body, records)
      if (!isPlanRight(job, body.plan_id, records)) faults.push('plan_id')
      const publication = publicationOf(job, body, records)
      if (publication === undefined) faults.push('publish_at')
      const expiresAt = expiryOf(job, body.expires_at)
      if (expiresAt !== job.expiresAt && !isAdmin(user)) faults.push('expires_at')
      if (faults.length > 0) return faulty(faults)
      const moved = { ...publication, ...(expiresAt !== job.expiresAt && { expiresAt }) }
      const after = { ...job, ...fields, ...moved, plan: body.plan_id ?? job.plan }
      const columns = { ...after, ...reviewed(records, user, job, after) }
      if (Bun.deepEquals(columns, job)) return { status: 200, body: ownJob(records, job) }
      const changed = records.jobs.change(id, { ...columns, updatedAt: records.second })
      return { status: 200, body: ownJob(records, changed) }
    })
    return { method: 'PUT', path: `/jobs/${id}.json`, body, outcome }
  }

/** The plan can be changed in a draft, and in a job that was refused before it was published. */
function isPlanRight(job: Job, plan: number | undefined, { plans }: Records): boolean {
  if (plan === undefined || plan === job.plan) return true
  const isOpen = job.submittedAt === null || (job.refusal !== null && job.publishedAt === null)
  return isOpen && plans.get(plan)?.archived === false
}

/** Returns the columns that a time of publication changes; undefined if it is wrong. */
function publicationOf(job: Job, body: Body, records: Records): Partial<Job> | undefined {
  const { now, second, plans } = records
  const publishAt = momentOf(body.publish_at)
  if (body.publish_at === undefined || publishAt === job.publishAt) return {}
  if ((job.publishedAt !== null && job.publishedAt <= now) || isWrongTime(publishAt, now)) return undefined
  if (job.publishedAt === null) return { publishAt }
  const publishedAt = Math.max(second, publishAt ?? 0)
  return { publishAt, publishedAt, expiresAt: endOf(publishedAt, plans.get(job.plan)?.period ?? 0) }
}

/** Returns the columns of an approved job that its owner changed. The period of one that wasn't public starts later. */
function reviewed(records: Records, user: User, before: Job, after: Job): Partial<Job> {
  const isApproved = before.publishedAt !== null && !before.pending && before.refusal === null
  const isReviewed = REVIEWED.some(column => after[column] !== before[column])
  const plan = records.plans.get(before.plan)
  if (!isApproved || !isReviewed || !plan || !mustWait(user, plan, records.approval)) return {}
  const isFuture = (before.publishedAt ?? 0) > records.second
  return { pending: true, ...(isFuture && { publishedAt: null, expiresAt: null }) }
}

function expiryOf({ expiresAt }: Job, input: string | null | undefined): number | null {
  if (input === undefined) return expiresAt
  return input === null ? null : Math.floor(Date.parse(input) / SECOND) * SECOND
}

export const deleteJob =
  (number: number): Plans =>
  (records, who) => {
    const id = records.jobs.pick(number)
    const outcome = forUsers(who, user => {
      const job = records.jobs.get(id)
      const refused = refusalOf(records, user, job)
      if (!job || refused) return refused ?? MISSING
      records.jobs.remove(id)
      return { status: 200, says: job.title }
    })
    return { method: 'DELETE', path: `/jobs/${id}.json`, outcome }
  }

/** Reading a job counts a view, unless the caller may manage it. */
export const getJob =
  (id: number): Plans =>
  (records, who) => {
    const path = `/jobs/${id}.json`
    const outcome = () => {
      const job = records.jobs.get(id)
      if (!job || !sees(records, who, job)) return MISSING
      const body = shownJob(records, who, job)
      if (!manages(who, job)) {
        records.step(id, 'view')
        records.visit(path)
      }
      return { status: 200, body }
    }
    return { method: 'GET', path, outcome }
  }
