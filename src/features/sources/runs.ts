import { floorToSecond } from '../../base/clock.ts'
import type { SourceRunRow } from '../../store/sourceRows.ts'
import type { TableReaders, Tables } from '../../store/tables.ts'
import { findSource } from './access.ts'
import type { Synchronization } from './synchronization.ts'

/** The number of runs that are kept of each source. */
const MAX_RUNS = 100
/** The number of refused postings that are kept of each run. */
const MAX_REFUSALS = 100

/** The end of a run. */
interface RunEnd {
  readonly startedAt: number
  readonly now: number
  readonly failed: boolean
  readonly message: string
}

/** Records a run of a source, inside a transaction. A source that was never used has none. */
export function recordRun(
  tables: Tables,
  name: string,
  synchronization: Synchronization | undefined,
  end: RunEnd,
): void {
  const source = findSource(tables, name)
  if (!source) return
  const { sources, sourceRuns } = tables
  const { startedAt, now, failed, message } = end
  const { refused = [], detached = [] } = synchronization?.check ?? {}
  sourceRuns.insert({
    ...(synchronization?.counts ?? NO_COUNTS),
    sourceId: source.id,
    startedAt: floorToSecond(startedAt),
    endedAt: floorToSecond(now),
    failed,
    message,
    detached: detached.length,
    refused: refused.length,
    refusals: refused.slice(0, MAX_REFUSALS),
  })
  if (source.failed !== failed) sources.update(source, { failed })
  const ids = sourceRuns.idsWhere('sourceId', source.id)
  for (const id of ids.slice(0, Math.max(0, ids.length - MAX_RUNS))) sourceRuns.remove(id)
}

const NO_COUNTS = { created: 0, updated: 0, unchanged: 0, reopened: 0, closed: 0 }

/** Returns the runs of a source, newest first. */
export const runsOf = ({ sourceRuns }: TableReaders, sourceId: number): SourceRunRow[] =>
  sourceRuns
    .idsWhere('sourceId', sourceId)
    .toReversed()
    .flatMap(id => sourceRuns.get(id) ?? [])

/** Returns the last run of a source. */
export const lastRunOf = ({ sourceRuns }: TableReaders, sourceId: number): SourceRunRow | undefined =>
  sourceRuns.get(sourceRuns.idsWhere('sourceId', sourceId).at(-1) ?? null)

/** Whether a run could do nothing, because every posting has errors. It counts as failed. */
export const isFruitless = ({ check: { refused, postings } }: Pick<Synchronization, 'check'>) =>
  postings > 0 && refused.length === postings

/** Returns the outcome of a run in sentences. */
export function summaryOf({ counts, check, mayClose }: Synchronization): string {
  const parts = Object.entries({ ...counts, detached: check.detached.length, refused: check.refused.length })
  const summary = parts.map(([what, count]) => `${count} ${what}`).join(', ')
  if (mayClose || check.missing.length === 0) return `${summary}.`
  return `${summary}. Nothing was closed, because some postings (${check.nameless}) have no valid external_id. Correct them, or use force.`
}

/** Returns why a run failed, and what it had changed before, in sentences. */
export function failureText(reason: string, synchronization: Synchronization | undefined): string {
  const { created, updated, reopened, closed } = synchronization?.counts ?? NO_COUNTS
  const changed = created + updated + reopened + closed
  return changed === 0 ? reason : `${reason} ${changed} jobs were changed before that.`
}
