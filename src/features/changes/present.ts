import { timestamp } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { statusOf } from '../../store/jobStatus.ts'
import type { JournalRow, PublicChangeType, TypedEntry } from '../../store/journal/journalRow.ts'
import type { TableReaders } from '../../store/tables.ts'
import { presentJob, presentOwnJob } from '../jobs/present.ts'
import { presentLabel } from '../labels/present.ts'
import { presentAdminPlan } from '../plans/present.ts'
import { presentRun } from '../sources/present.ts'
import { presentSubscriber } from '../subscribers/present.ts'
import { presentUser } from '../users/present.ts'
import type { Change, PublicChange } from './schema.ts'

/** Returns an entry of the journal as administrators see it. */
export function presentChange(board: Board, entry: TypedEntry): Change {
  const { id: seq, type, at, actor } = entry
  const { path, id, data } = recordOf(board, entry)
  const { source, externalId } = originOf(board, entry)
  return {
    seq,
    type,
    at: timestamp(at),
    actor: { kind: actor.kind, id: 'id' in actor ? actor.id : null },
    id,
    url: board.links.to(path),
    source,
    external_id: externalId,
    data,
  }
}

/** Returns an entry about a job as everybody sees it. */
export function presentPublicChange(
  { store, links, clock }: Board,
  { id: seq, at, jobId = 0, publicType: type }: JournalRow & { readonly publicType: PublicChangeType },
): PublicChange {
  const job = store.read.jobs.get(jobId)
  const isShown = type !== 'job.closed' && job && statusOf(job, clock()) === 'active'
  return {
    seq,
    type,
    at: timestamp(at),
    id: jobId,
    url: links.job(jobId),
    data: isShown ? presentJob(job, store.read, links) : null,
  }
}

/** Returns the record of an entry: its path, its id, and what administrators read there. */
function recordOf({ store, links, clock, traffic }: Board, entry: JournalRow) {
  const { read } = store
  const { jobId, categoryId, termId, planId, userId, subscriberId, sourceRunId } = entry
  const record = <R, T>(path: string, id: number, row: R | undefined, present: (row: R) => T) => ({
    path: `/${path}/${id}.json`,
    id,
    data: row === undefined ? null : present(row),
  })
  if (jobId !== undefined)
    return record('jobs', jobId, read.jobs.get(jobId), job =>
      presentOwnJob(job, read, links, clock(), traffic.countsOf(jobId)),
    )
  if (categoryId !== undefined)
    return record('categories', categoryId, read.categories.get(categoryId), presentLabel)
  if (termId !== undefined) return record('terms', termId, read.terms.get(termId), presentLabel)
  if (planId !== undefined) return record('plans', planId, read.plans.get(planId), presentAdminPlan)
  if (userId !== undefined) return record('users', userId, read.users.get(userId), presentUser)
  if (sourceRunId !== undefined) {
    const name = sourceOfRun(read, entry) ?? ''
    const run = record('', sourceRunId, read.sourceRuns.get(sourceRunId), row => presentRun(row, name))
    return { ...run, path: `/sources/${name}/runs.json` }
  }
  const id = subscriberId ?? 0
  return record('subscribers', id, read.subscribers.get(id), presentSubscriber)
}

/** Returns the name of the source of a run, which may no longer be kept. */
function sourceOfRun({ sources, sourceRuns }: TableReaders, { sourceRunId = 0, after }: JournalRow) {
  const sourceId = sourceRuns.get(sourceRunId)?.sourceId ?? Number(after?.['sourceId'])
  return sources.get(sourceId)?.name
}

/** Returns the source of a run, or where a job comes from. The last entry about a deleted job has its row. */
function originOf({ store }: Board, entry: JournalRow): { source: string | null; externalId: string | null } {
  const { jobs, journal } = store.read
  const { jobId, sourceRunId } = entry
  if (sourceRunId !== undefined) return { source: sourceOfRun(store.read, entry) ?? null, externalId: null }
  if (jobId === undefined) return { source: null, externalId: null }
  const job = jobs.get(jobId) ?? journal.get(journal.idsWhere('jobId', jobId).at(-1) ?? null)?.before
  const { source, externalId } = { source: null, externalId: null, ...job }
  return { source: textOrNull(source), externalId: textOrNull(externalId) }
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
