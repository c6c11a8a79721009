import { getAnalytics } from './analytics.ts'
import { getJob } from './jobs.ts'
import { getLabels } from './labels.ts'
import { getJobs } from './lists.ts'
import { getPlans } from './plans.ts'
import { isAdmin, type Plans, type Records, type Who } from './records.ts'
import type { Stage } from './stage.ts'
import { getSubscribers } from './subscribers.ts'
import { getMe, getUsers } from './users.ts'

/** Of all jobs that ever were, how many of the newest are read one by one after each step; of the others one. */
const NEWEST = 4

/** Has everybody look at everything. */
export async function look(stage: Stage, step: number): Promise<void> {
  const { records } = stage
  await lookAs(stage, undefined, step)
  for (const user of records.users.all) await lookAs(stage, user, step)
}

async function lookAs(stage: Stage, who: Who, step: number): Promise<void> {
  const by = who && { email: who.email }
  for (const plans of [...inPublic(stage.records, step), ...sightsOf(who)]) await stage.play(by, plans)
}

function inPublic({ jobs }: Records, step: number): Plans[] {
  const newest = Array.from({ length: NEWEST }, (_, at) => jobs.last - at).filter(id => id > 0)
  const older = 1 + (step % (jobs.last + 1))
  return [getJobs({}), ...[older, ...newest].map(getJob)]
}

function sightsOf(who: Who): Plans[] {
  if (!who) return []
  const statuses = ['all', 'pending', 'expired'].map(status => getJobs({ status }))
  const own = [
    ...statuses,
    getJobs({ mine: 'true' }),
    getLabels('categories'),
    getLabels('terms'),
    getPlans(),
  ]
  return isAdmin(who)
    ? [...own, getPlans('all'), getUsers(), getSubscribers(), getAnalytics()]
    : [...own, getMe()]
}
