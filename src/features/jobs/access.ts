import { type Caller, isAdmin } from '../../base/caller.ts'
import { forbidden, notFound, Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { hasPublicPage } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { mayManage, maySee } from './rules.ts'

/** Returns a job. @throws Problem 'notFound' if it doesn't exist or the caller may not see it */
export function getJob(
  { store, clock }: Board,
  caller: Caller,
  id: number,
  tables: TableReaders = store.read,
): JobRow {
  const job = tables.jobs.get(id)
  if (!job || !maySee(caller, job, clock())) throw notFound('job')
  return job
}

/** Returns a job whose page the caller may see, which includes jobs that were filled lately. @throws Problem 'notFound' */
export function getJobForPage(board: Board, caller: Caller, id: number): JobRow {
  const job = board.store.read.jobs.get(id)
  return job && hasPublicPage(job, board.clock()) ? job : getJob(board, caller, id)
}

/** Returns a job that the caller may edit. @throws Problem 'notFound', or 'forbidden' if it is somebody else's */
export function getJobToManage(board: Board, caller: Caller, id: number, tables?: TableReaders): JobRow {
  const job = getJob(board, caller, id, tables)
  if (!mayManage(caller, job)) throw forbidden()
  return job
}

/**
 * Checks that the caller's address is confirmed, which is required after an open registration.
 * @throws Problem 'forbidden' if it isn't
 */
export function requireConfirmed({ store }: Board, caller: Caller): void {
  const user = caller.userId === undefined ? undefined : store.read.users.get(caller.userId)
  if (user?.confirmed === false && !isAdmin(caller)) throw new Problem('forbidden', UNCONFIRMED)
}

const UNCONFIRMED =
  'Confirm your e-mail address first, with the link that was sent to it. If you have none, request a password reset (POST /password-resets.json), which confirms it too.'
