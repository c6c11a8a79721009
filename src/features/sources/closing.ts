import type { Clock } from '../../base/clock.ts'
import type { JobRow } from '../../store/rows.ts'
import type { Tables } from '../../store/tables.ts'
import { applyClosing } from '../jobs/lifecycle.ts'
import { contentHashOf } from './content.ts'

/**
 * Closes a job on behalf of its source, inside a transaction. Its source can reopen it.
 * @throws Problem 'conflict' if its status doesn't allow that
 */
export function closeForSource(services: { readonly clock: Clock }, tables: Tables, job: JobRow): JobRow {
  const closed = applyClosing(services, tables, job)
  const known = tables.sourceJobs.get(job.id)
  const { closedAt } = closed
  if (known?.closedAt !== closedAt) {
    const fresh = { id: job.id, sentHash: '', contentHash: contentHashOf(job) }
    tables.sourceJobs.put({ ...fresh, ...known, closedAt })
  }
  return closed
}
