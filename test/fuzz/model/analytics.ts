import { DAY, forAdmins, type Plans, type Records } from './records.ts'
import { statusOf } from './shown.ts'

/** A report covers 30 days by default, and has the ten paths with the most views. */
const DAYS = 30
const TOP = 9

export const getAnalytics = (): Plans => (records, caller) => ({
  method: 'GET',
  path: '/analytics.json',
  outcome: forAdmins(caller, () => ({ status: 200, body: report(records) })),
})

function report(records: Records) {
  const { jobs, subscribers, users, visits, now } = records
  const today = Math.floor(now / DAY)
  const days = Array.from({ length: DAYS }, (_, at) => today - DAYS + 1 + at)
  const sums = new Map<string, number>()
  for (const day of days)
    for (const [path, count] of visits.get(day) ?? []) sums.set(path, (sums.get(path) ?? 0) + count)
  const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0)
  return {
    events_per_day: Object.fromEntries(
      days.map(day => [new Date(day * DAY).toISOString().slice(0, 10), sum(visits.get(day)?.values() ?? [])]),
    ),
    // paths with equal counts may be cut in any order
    top_paths: sums.size <= TOP ? Object.fromEntries(sums) : undefined,
    jobs: jobs.all.filter(job => statusOf(job, now) === 'active').length,
    subscribers: subscribers.all.length,
    users: users.all.length,
  }
}
