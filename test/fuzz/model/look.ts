import { STATUSES } from '../../../src/store/jobStatus.ts'
import { getAnalytics } from './analytics.ts'
import { getJob } from './jobs.ts'
import { getLabels } from './labels.ts'
import { getJobs } from './lists.ts'
import { getPlans } from './plans.ts'
import { type Caller, isAdmin, type Plans, type Records } from './records.ts'
import type { Stage } from './stage.ts'
import { getSubscribers } from './subscribers.ts'
import { getMe, getUsers } from './users.ts'

/** The number of newest jobs that are each read after every step. One of the others is read too. */
const NEWEST = 4

/** Reads everything as every caller. */
export async function look(stage: Stage, step: number): Promise<void> {
  const { records } = stage
  await lookAs(stage, undefined, step)
  for (const user of records.users.all) await lookAs(stage, user, step)
}

async function lookAs(stage: Stage, caller: Caller, step: number): Promise<void> {
  const by = caller && { email: caller.email }
  for (const plans of [...inPublic(stage.records, step), ...sightsOf(caller, step)])
    await stage.play(by, plans)
}

function inPublic({ jobs }: Records, step: number): Plans[] {
  const newest = Array.from({ length: NEWEST }, (_, at) => jobs.last - at).filter(id => id > 0)
  const older = 1 + (step % (jobs.last + 1))
  return [getJobs({}), ...[older, ...newest].map(getJob)]
}

function sightsOf(caller: Caller, step: number): Plans[] {
  if (!caller) return []
  const statuses = ['all', STATUSES[step % STATUSES.length] ?? 'draft'].map(status => getJobs({ status }))
  const own = [
    ...statuses,
    getJobs({ mine: 'true' }),
    getLabels('categories'),
    getLabels('terms'),
    getPlans(),
  ]
  return isAdmin(caller)
    ? [...own, getPlans('all'), getUsers(), getSubscribers(), getAnalytics()]
    : [...own, getMe()]
}
