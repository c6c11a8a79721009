import type { Status } from '../../../src/store/jobStatus.ts'
import { BASE_URL } from '../../helpers/board.ts'
import {
  type Caller,
  isAdmin,
  type Job,
  type Plan,
  type Records,
  type Subscriber,
  type User,
} from './records.ts'

const moment = (ms: number) => new Date(ms).toISOString().replace('.000Z', '+00:00')
const momentOrNull = (ms: number | null) => (ms === null ? null : moment(ms))

export const DESCRIPTION = 'Wherein **one** works.'
export const WEBSITE = 'https://works.example/'

/** Returns the status of a job by the model's own rule. */
export function statusOf(job: Job, now: number): Status {
  if (job.submittedAt === null) return 'draft'
  if (job.closedAt !== null) return 'closed'
  if (job.filledAt !== null) return 'filled'
  if (job.refusal !== null) return 'refused'
  if (job.pending || job.publishedAt === null) return 'pending'
  if (now < job.publishedAt) return 'scheduled'
  return job.expiresAt === null || now < job.expiresAt ? 'active' : 'expired'
}

export const manages = (caller: Caller, job: Job) =>
  isAdmin(caller) || (caller !== undefined && caller.id === job.owner)
export const sees = (records: Records, caller: Caller, job: Job) =>
  statusOf(job, records.now) === 'active' || manages(caller, job)

/** Returns a job as a caller sees it, without the URL of its preview. */
export const shownJob = (records: Records, caller: Caller, job: Job) =>
  manages(caller, job) ? ownJob(records, job) : publicJob(records, job)

function publicJob(records: Records, job: Job) {
  const { categories, terms, plans } = records
  const plan = plans.get(job.plan)
  return {
    id: job.id,
    title: job.title,
    description: DESCRIPTION,
    location: job.location,
    arrangement: job.arrangement,
    salary: job.salary === null ? '' : String(job.salary),
    salary_currency: job.currency,
    salary_period: job.period,
    company: job.company,
    company_website: WEBSITE,
    application_type: job.applicationType,
    [`application_${job.applicationType}`]: job.applicationType === 'url' ? job.url : job.email,
    term: terms.get(job.term) ?? null,
    category: categories.get(job.category) ?? null,
    plan: plan ? shownPlan(undefined, plan) : null,
    logo: '',
    url: `${BASE_URL}/jobs/${job.id}.json`,
    created_at: moment(job.createdAt),
  }
}

export function ownJob(records: Records, job: Job) {
  const owner = job.owner === null ? undefined : records.users.get(job.owner)
  return {
    ...publicJob(records, job),
    status: statusOf(job, records.now),
    expires_at: momentOrNull(job.expiresAt),
    updated_at: moment(job.updatedAt),
    views: records.countOf(job.id, 'view'),
    user: owner ? { id: owner.id, email: owner.email } : null,
    publish_at: momentOrNull(job.publishAt),
    published_at: momentOrNull((job.publishedAt ?? Infinity) <= records.now ? job.publishedAt : null),
    filled_at: momentOrNull(job.filledAt),
    closed_at: momentOrNull(job.closedAt),
    refusal: job.refusal,
    source: null,
    external_id: null,
    apply_clicks: records.countOf(job.id, 'apply'),
    impressions: records.countOf(job.id, 'impression'),
  }
}

export const shownPlan = (caller: Caller, { archived, ...plan }: Plan) =>
  isAdmin(caller) ? { ...plan, status: archived ? 'archived' : 'active' } : plan

export const shownUser = ({ id, email, role, createdAt, updatedAt }: User) => ({
  id,
  email,
  // No account of the model registers itself.
  role,
  created_at: moment(createdAt),
  updated_at: moment(updatedAt),
})

export const shownSubscriber = ({ id, email, confirmed, createdAt, updatedAt }: Subscriber) => ({
  id,
  email,
  email_confirmed: confirmed,
  created_at: moment(createdAt),
  updated_at: moment(updatedAt),
})
