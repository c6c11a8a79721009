import type { Caller } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { EncodedReply } from '../../http/response/responseCache.ts'
import type { JobRow } from '../../store/rows.ts'
import { presentJob, presentOwnJob } from './present.ts'
import type { Job, OwnJob } from './responseSchemas.ts'
import { mayManage, maySee } from './rules.ts'

/**
 * Returns a job's JSON as the caller may see it; undefined if they may not. Lists are built from it. The JSON that
 * everybody sees is cached under the job's path.
 */
export function jobJson(board: Board, caller: Caller, id: number): EncodedReply<Job | OwnJob> | undefined {
  const { responses, jobIndex, store, clock, links, traffic } = board
  const key = `/jobs/${id}.json`
  const summary = jobIndex.get(id)
  if (caller.userId === undefined || (summary && !mayManage(caller, summary))) {
    // Only this function stores a reply under the key.
    const cached = responses.replyTo(key) as EncodedReply<Job> | undefined
    if (cached) return cached
  }
  const job = store.read.jobs.get(id)
  if (!job || !maySee(caller, job, clock())) return undefined
  if (mayManage(caller, job))
    return replyOf(board, job, presentOwnJob(job, store.read, links, clock(), traffic.countsOf(id)))
  const version = () => jobIndex.versionOf(id)
  return responses.getOrCreate(key, version, () => replyOf(board, job, presentJob(job, store.read, links)))
}

const replyOf = ({ jobIndex }: Board, { id }: JobRow, job: object) =>
  new EncodedReply<Job | OwnJob>(
    EncodedBody.json(job),
    {},
    { path: `/jobs/${id}.json`, job: jobIndex.get(id) },
  )
