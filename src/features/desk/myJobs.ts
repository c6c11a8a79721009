import type { Account } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { PER_PAGE, sliceOf } from '../../http/response/paging.ts'
import type { JobSummary } from '../../search/jobSummary.ts'
import { type Status, STATUSES, statusOf } from '../../store/jobStatus.ts'
import { presentDeskJob, STATUS_NAMES } from './jobView.ts'

/** The order of a list of all one's jobs: first what needs attention, then what is public, then what is over. */
const ORDER: readonly Status[] = [
  'refused',
  'draft',
  'pending',
  'scheduled',
  'active',
  'filled',
  'expired',
  'closed',
]

/** Returns the view of somebody's own jobs: those with a status, or all of them. @param page from 1 */
export function presentMyJobs(board: Board, { userId }: Account, status: Status | undefined, page: number) {
  const now = board.clock()
  const own = board.jobIndex.all.filter(job => job.userId === userId)
  const byStatus = Map.groupBy(own, job => statusOf(job, now))
  const shown =
    status === undefined
      ? ORDER.flatMap(name => newestFirst(byStatus.get(name)))
      : newestFirst(byStatus.get(status))
  const last = Math.max(1, Math.ceil(shown.length / PER_PAGE))
  const pathOf = (number: number) => pathTo(status, number)
  return {
    total: own.length,
    tabs: [
      { name: 'All', count: own.length, path: '/account', is_current: status === undefined },
      ...STATUSES.filter(name => byStatus.has(name) || name === status).map(name => ({
        name: STATUS_NAMES[name],
        count: byStatus.get(name)?.length ?? 0,
        path: pathTo(name, 1),
        is_current: name === status,
      })),
    ],
    jobs: sliceOf(shown, { page, perPage: PER_PAGE }).flatMap(({ id }) => {
      const job = board.store.read.jobs.get(id)
      return job ? [presentDeskJob(board, job)] : []
    }),
    previous_path: page > 1 ? pathOf(Math.min(page - 1, last)) : '',
    next_path: page < last ? pathOf(page + 1) : '',
    page,
    last,
  }
}

const newestFirst = (jobs: readonly JobSummary[] = []) => jobs.toSorted((a, b) => b.id - a.id)

function pathTo(status: Status | undefined, page: number): string {
  const query = new URLSearchParams()
  if (status !== undefined) query.set('status', status)
  if (page > 1) query.set('page', String(page))
  return query.size === 0 ? '/account' : `/account?${query}`
}
