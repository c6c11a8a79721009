import { DAY } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import type { FunnelCounts } from '../../store/countRows.ts'

/** The number of jobs in each ranking. */
const LENGTH = 5
/** Jobs that were posted later than this are not ranked last: few people have had the time to see them. */
const MIN_AGE = 7 * DAY

/** A job with its counts since it was posted. */
interface RankedJob {
  readonly id: number
  readonly counts: FunnelCounts
}

type Order = (a: RankedJob, b: RankedJob) => number

const byViews: Order = (a, b) => b.counts.views - a.counts.views
const byClicks: Order = (a, b) => b.counts.applyClicks - a.counts.applyClicks
const byFewestViews: Order = (a, b) => -byViews(a, b)
/** Jobs with equally few apply clicks are in the order of their views, the most first. */
const byFewestClicks: Order = (a, b) => -byClicks(a, b) || byViews(a, b)

/** Returns the active jobs with the most and the fewest views and apply clicks. */
export async function rankJobs({ traffic, jobIndex, clock }: Board) {
  await traffic.loadTotals()
  const now = clock()
  const jobs = jobIndex.active.map(({ id, listedAt }) => ({ id, listedAt, counts: traffic.countsOf(id) }))
  const older = jobs.filter(({ listedAt }) => listedAt <= now - MIN_AGE)
  return {
    mostViews: first(jobs, byViews),
    mostClicks: first(jobs, byClicks),
    fewestViews: first(older, byFewestViews),
    fewestClicks: first(older, byFewestClicks),
  }
}

/** Returns the first jobs in an order, without sorting the others. */
function first(jobs: readonly RankedJob[], order: Order): RankedJob[] {
  const found: RankedJob[] = []
  for (const job of jobs) {
    const last = found[LENGTH - 1]
    if (last && order(job, last) >= 0) continue
    const at = found.findIndex(other => order(job, other) < 0)
    found.splice(at < 0 ? found.length : at, 0, job)
    if (found.length > LENGTH) found.pop()
  }
  return found
}
