import type { Caller } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { Rendered } from '../../http/rendered.ts'
import { presentJob, presentOwnJob } from './present.ts'
import { mayManage, maySee } from './rules.ts'

/** A job as this caller sees it, rendered; undefined if for them there is none. */
export function bodyOf(board: Board, caller: Caller, id: number): Rendered<Uint8Array> | undefined {
  const { store, links, listing, clock, jobBodies, traffic } = board
  const kept = caller.userId === undefined && listing.isActive(id) ? jobBodies.get(id) : undefined
  if (kept) return kept
  const job = store.read.jobs.get(id)
  if (!job || !maySee(caller, job, clock())) return undefined
  if (mayManage(caller, job))
    return Rendered.json(presentOwnJob(job, store.read, links, clock(), traffic.viewsOf(id)))
  return jobBodies.get(id) ?? jobBodies.keep(id, Rendered.json(presentJob(job, store.read, links)))
}
