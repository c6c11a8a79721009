import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import type { JobRow } from '../../store/rows.ts'
import type { Tables } from '../../store/tables.ts'
import { getJobToManage } from './access.ts'
import { requireStatusFor, type Verb } from './verbs.ts'

/** A change of a job's status: the columns that change; undefined if there is nothing to change. */
type StatusChange = (tables: Tables, job: JobRow, now: number) => Partial<JobRow> | undefined

/**
 * Changes the status of a job in one transaction.
 * @throws Problem 'conflict' if its status doesn't allow the verb
 */
export const changeStatus = (
  board: Board,
  caller: Caller,
  id: number,
  verb: Verb,
  change: StatusChange,
): Promise<JobRow> =>
  writeAs(board.store, caller, tables => {
    const job = getJobToManage(board, caller, id, tables)
    return applyVerb(board, tables, job, verb, change)
  })

export function applyVerb(
  { clock }: Pick<Board, 'clock'>,
  tables: Tables,
  job: JobRow,
  verb: Verb,
  change: StatusChange,
): JobRow {
  const now = floorToSecond(clock())
  requireStatusFor(verb, job, now)
  const columns = change(tables, job, now)
  return columns ? tables.jobs.update(job, { ...columns, updatedAt: now }) : job
}
