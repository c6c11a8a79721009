import { refusalOf } from './jobs.ts'
import {
  DAY,
  faulty,
  forUsers,
  isAdmin,
  type Job,
  MISSING,
  type Plans,
  type Records,
  type Step,
} from './records.ts'
import { manages, statusOf } from './shown.ts'

/** The statistics of a job cover 30 days by default. */
const DAYS = 30

const isActive = (records: Records, job: Job | undefined): job is Job =>
  job !== undefined && statusOf(job, records.now) === 'active'

/** Following the link to the application counts an apply click, unless the caller may manage the job. */
export const applyToJob =
  (number: number): Plans =>
  (records, who) => {
    const id = records.jobs.pick(number)
    const outcome = () => {
      const job = records.jobs.get(id)
      if (job && isOver(job, records.now)) return { status: 410 }
      if (!isActive(records, job)) return MISSING
      if (!manages(who, job)) records.step(id, 'apply')
      return { status: 302, location: job.applicationType === 'url' ? new URL(job.url).href : mailOf(job) }
    }
    return { method: 'GET', path: `/jobs/${id}/apply`, outcome }
  }

/** Whether a job that was public is not any more. */
function isOver(job: Job, now: number): boolean {
  const status = statusOf(job, now)
  if (status === 'closed') return job.publishedAt !== null && job.publishedAt <= (job.closedAt ?? 0)
  return status === 'expired' || status === 'filled'
}

const mailOf = ({ email, title }: Job) => `mailto:${email}?subject=${encodeURIComponent(title)}`

/** A front end reports a step, or a page view of no job. */
export const postEvent =
  (kind: Step | undefined, number: number | undefined): Plans =>
  (records, who) => {
    const id = number === undefined ? undefined : records.jobs.pick(number)
    const path = '/front/page'
    const outcome = () => {
      const job = id === undefined ? undefined : records.jobs.get(id)
      const needsJob = kind === 'impression' || kind === 'apply'
      if (id === undefined ? needsJob : !isActive(records, job)) return faulty(['job'])
      if (isAdmin(who) || (job && manages(who, job))) return { status: 202 }
      if (job) records.step(job.id, kind ?? 'view')
      if (!needsJob) records.visit(path)
      return { status: 202 }
    }
    const body = { path, ...(kind && { kind }), ...(id !== undefined && { job: id }) }
    return { method: 'POST', path: '/events.json', body, outcome }
  }

export const getJobStats =
  (number: number): Plans =>
  (records, who) => {
    const id = records.jobs.pick(number)
    const outcome = forUsers(who, user => {
      const refused = refusalOf(records, user, records.jobs.get(id))
      return refused ?? { status: 200, body: statsOf(records, id) }
    })
    return { method: 'GET', path: `/jobs/${id}/stats.json`, outcome }
  }

function statsOf(records: Records, id: number) {
  const today = Math.floor(records.now / DAY)
  const days = Array.from({ length: DAYS }, (_, at) => today - DAYS + 1 + at)
  const steps = records.funnel.get(id) ?? []
  const countsOf = (step: Step) => {
    const counts = days.map(day => steps.filter(one => one.step === step && one.day === day).length)
    const dates = days.map(day => new Date(day * DAY).toISOString().slice(0, 10))
    return {
      total: counts.reduce((sum, count) => sum + count, 0),
      per_day: Object.fromEntries(dates.map((date, at) => [date, counts[at]])),
    }
  }
  return {
    impressions: countsOf('impression'),
    views: countsOf('view'),
    apply_clicks: countsOf('apply'),
  }
}
