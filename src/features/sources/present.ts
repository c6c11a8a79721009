import { timestamp } from '../../base/clock.ts'
import type { SourceRow, SourceRunRow } from '../../store/sourceRows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { presentOwner } from '../users/present.ts'
import { lastRunOf } from './runs.ts'
import type { Source, SourceRun, SyncResult } from './schema.ts'
import type { Synchronization } from './synchronization.ts'

/** Returns a run. @param source the name of its source */
export function presentRun(run: SourceRunRow, source: string): SourceRun {
  const { id, created, updated, unchanged, reopened, closed, detached, refused, message } = run
  return {
    id,
    source,
    status: run.failed ? 'failed' : 'done',
    started_at: timestamp(run.startedAt),
    ended_at: timestamp(run.endedAt),
    created,
    updated,
    unchanged,
    reopened,
    closed,
    detached,
    refused,
    refusals: [...run.refusals],
    message,
  }
}

export function presentSource(source: SourceRow, tables: TableReaders): Source {
  const last = lastRunOf(tables, source.id)
  return {
    id: source.id,
    name: source.name,
    user: presentOwner(tables.users.get(source.userId)),
    created_at: timestamp(source.createdAt),
    last_run: last ? presentRun(last, source.name) : null,
  }
}

/** Returns the result of a synchronization, with its postings in their order. */
export const presentResult = ({ counts, check }: Synchronization, message: string): SyncResult => ({
  ...counts,
  detached: [...check.detached],
  refused: check.refused.toSorted((a, b) => a.n - b.n),
  message,
})
