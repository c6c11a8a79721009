import type { Board } from '../../board.ts'
import { listedAt, type Status, statusOf } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import { historyAction } from './changeList.ts'
import {
  buttonAction,
  linkAction,
  linkCell,
  type RowAction,
  statusCell,
  type TableRow,
  textCell,
  timeCell,
} from './listing.ts'

/** Returns the row of a job in the inbox or in the list of all jobs; none if it was deleted meanwhile. */
export function jobRow(board: Board, id: number, list: 'inbox' | 'all'): TableRow[] {
  const { store, clock, traffic } = board
  const job = store.read.jobs.get(id)
  if (!job) return []
  const status = statusOf(job, clock())
  const title = linkCell(job.title, `/jobs/${id}`, job.company)
  const owner = store.read.users.get(job.userId)?.email ?? 'No owner'
  const plan = textCell(store.read.plans.get(job.planId)?.name ?? '', owner)
  const posted = timeCell(listedAt(job), clock)
  const cells =
    list === 'inbox'
      ? [title, plan, posted]
      : [title, statusCell(status), plan, textCell(traffic.countsOf(id).views), posted]
  return [{ id, name: job.title, cells, actions: jobActions(job, status) }]
}

/** Returns what an administrator can do with a job in a status. */
export const jobActions = ({ id }: JobRow, status: Status): RowAction[] => [
  ...(status === 'pending'
    ? [buttonAction('Approve', `/admin/jobs/${id}/approve`), linkAction('Refuse', `/admin/jobs/${id}/refuse`)]
    : []),
  linkAction('Edit', `/account/jobs/${id}/edit`),
  historyAction('jobs', id),
  linkAction('Delete', `/admin/jobs/${id}/delete`),
]
