import {
  type Approval,
  type Caller,
  DAY,
  faulty,
  forAdmins,
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
  readonly company?: string
  readonly location?: string
  readonly arrangement?: string | null
  readonly salary?: number | string | null
  readonly salary_currency?: string | null
  readonly salary_period?: string | null
  readonly application_type?: string | null
  readonly application_url?: string | null
  readonly application_email?: string | null
  readonly expires_at?: string | null
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

/** Returns a job's fields after an update. */
function updatedFields(before: JobFields, input: Body): JobFields {
  const applicationType = input.application_type || before.applicationType
  return {
    title: input.title?.trim() ?? before.title,
    company: input.company?.trim() ?? before.company,
    location: input.location?.trim() ?? before.location,
    arrangement: input.arrangement || before.arrangement,
    salary: input.salary === undefined ? before.salary : salaryOf(input.salary),
    currency: input.salary_currency?.toUpperCase() || before.currency,
    period: input.salary_period || before.period,
    applicationType,
    url: input.application_url || before.url,
    email: input.application_email || before.email,
    category: input.category_id ?? before.category,
    term: input.term_id ?? before.term,
  }
}

const salaryOf = (input: number | string | null) => (input === null || input === '' ? null : Number(input))

/** A salary requires a currency. */
const lacksCurrency = (fields: JobFields, input: Body) =>
  fields.salary !== null && (input.salary_currency === '' || input.salary_currency === null)

function faultsOf(fields: JobFields, input: Body, { categories, terms }: Records): string[] {
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
      const { plans, jobs, approval, second } = records
      const fields = updatedFields(BLANK, body)
      const plan = plans.get(body.plan_id ?? 0)
      const faults = faultsOf(fields, body, records)
      if (!plan || plan.archived) return faulty([...faults, 'plan_id'])
      if (faults.length > 0) return faulty(faults)
      const pending = mustWait(user, plan, approval)
      const expiresAt = pending ? null : endOf(second, plan.period)
      const moments = { createdAt: second, updatedAt: second, expiresAt }
      const job = jobs.add({
        ...fields,
        ...moments,
        plan: plan.id,
        owner: user.id,
        pending,
        appeared: !pending,
      })
      return { status: 201, body: ownJob(records, job) }
    })
    return { method: 'POST', path: '/jobs.json', body, outcome }
  }

const mustWait = (user: User, plan: Plan, approval: Approval) =>
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
      const fields = updatedFields(job, body)
      const faults = faultsOf(fields, body, records)
      const expiresAt = expiryOf(job, body.expires_at)
      if (body.plan_id !== undefined && body.plan_id !== job.plan) faults.push('plan_id')
      if (expiresAt !== job.expiresAt && !isAdmin(user)) faults.push('expires_at')
      if (faults.length > 0) return faulty(faults)
      const plan = records.plans.get(job.plan)
      const isReviewed = REVIEWED.some(column => fields[column] !== job[column])
      const pending = job.pending || (isReviewed && !!plan && mustWait(user, plan, records.approval))
      const after = { ...job, ...fields, expiresAt, pending }
      if (Bun.deepEquals(after, job)) return { status: 200, body: ownJob(records, job) }
      const changed = records.jobs.change(id, { ...after, updatedAt: records.second })
      return { status: 200, body: ownJob(records, changed) }
    })
    return { method: 'PUT', path: `/jobs/${id}.json`, body, outcome }
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

export const approveJob =
  (number: number): Plans =>
  (records, who) => {
    const id = records.jobs.pick(number)
    const outcome = forAdmins(who, () => {
      const { jobs, plans, second } = records
      const job = jobs.get(id)
      if (!job) return MISSING
      const first = { appeared: true, expiresAt: endOf(second, plans.get(job.plan)?.period ?? 0) }
      if (job.pending) jobs.change(id, { pending: false, ...(!job.appeared && first), updatedAt: second })
      return { status: 200, says: job.title }
    })
    return { method: 'PUT', path: `/jobs/${id}/approve.json`, outcome }
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
