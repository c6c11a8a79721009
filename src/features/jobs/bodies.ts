import type { Caller } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import type { PageView } from '../../http/request/context.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { presentJob, presentOwnJob } from './present.ts'
import { mayManage, maySee } from './rules.ts'

/** A job as everybody sees it, rendered, where that is kept; undefined for those who may see more. */
export const keptBodyOf = ({ listing, jobBodies }: Board, caller: Caller, id: number) =>
  caller.userId === undefined && listing.isActive(id) ? jobBodies.get(id) : undefined

export const viewOf = ({ listing }: Board, id: number): PageView => ({
  path: `/jobs/${id}.json`,
  job: listing.get(id),
})

/** A job as this caller sees it, rendered; undefined if for them there is none. */
export function bodyOf(board: Board, caller: Caller, id: number): EncodedBody<Uint8Array> | undefined {
  const { store, links, clock, jobBodies, traffic } = board
  const kept = keptBodyOf(board, caller, id)
  if (kept) return kept
  const job = store.read.jobs.get(id)
  if (!job || !maySee(caller, job, clock())) return undefined
  if (mayManage(caller, job))
    return EncodedBody.json(presentOwnJob(job, store.read, links, clock(), traffic.viewsOf(id)))
  return jobBodies.get(id) ?? jobBodies.keep(id, EncodedBody.json(presentJob(job, store.read, links)))
}
