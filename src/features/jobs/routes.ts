import { Elysia } from 'elysia'
import { isAdmin } from '../../base/caller.ts'
import { missing } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import type { Exchange } from '../../http/exchange.ts'
import { idAndSuffix, idOfBare, idOfJson, UnknownPath } from '../../http/ids.ts'
import { readInput } from '../../http/input.ts'
import type { RenderedList } from '../../http/rendered.ts'
import { created, type PageReply, Reply } from '../../http/reply.ts'
import type { JobRow } from '../../store/rows.ts'
import {
  approveJob,
  createJob,
  getJob,
  getJobToManage,
  removeJob,
  requireConfirmed,
  updateJob,
} from './actions.ts'
import { bodyOf, viewOf } from './bodies.ts'
import { isPublicList, LIST_VIEW, listJobs, presentList } from './lists.ts'
import { jobOperations } from './operations.ts'
import type { Job, OwnJob } from './shown.ts'

/** A job that is asked for. */
export interface SoughtJob {
  readonly id: number
  readonly exchange: Exchange
  /**
   * Reads it.
   * @throws Problem 'missing' if there is none that the caller may see
   */
  readonly read: () => JobRow
}

export type Represent = (sought: SoughtJob) => PageReply | Promise<PageReply>
/** What a job can be had as beside JSON, by what its path ends in. */
export type Representations = ReadonlyMap<string, Represent>

function answerList(board: Board, exchange: Exchange) {
  const list = listJobs(board, exchange)
  const present = (made: RenderedList) => presentList(board, exchange, made)
  return list instanceof Promise ? list.then(present) : present(list)
}

export const jobRoutes = (board: Board, representations: Representations) =>
  new Elysia({ name: 'jobs' })
    .use(guard)

    .get(
      '/jobs.json',
      ({ exchange }) => {
        const answer = answerList(board, exchange)
        if (isPublicList(exchange)) exchange.view = LIST_VIEW
        return answer
      },
      { needs: 'nobody', ...jobOperations.list },
    )

    .get(
      '/jobs/:id',
      ({ params, exchange, caller }) => {
        const { id, suffix } = idAndSuffix(params.id)
        const represent = representations.get(suffix)
        if (represent) return represent({ id, exchange, read: () => getJob(board, caller, id) })
        if (suffix !== 'json') throw new UnknownPath()
        const body = bodyOf(board, caller, id)
        if (!body) throw missing('job')
        exchange.view = viewOf(board, id)
        return new Reply<Job | OwnJob, 200>(body)
      },
      { needs: 'nobody', ...jobOperations.read },
    )

    .post(
      '/jobs.json',
      async ({ exchange, caller }) => {
        requireConfirmed(board, caller)
        const post = async () => createJob(board, caller, await readInput(exchange, jobOperations.create))
        const { userId } = caller
        const isLimited = userId !== undefined && !isAdmin(caller)
        const job = isLimited ? await exchange.limit.spendJob(userId, post) : await post()
        return created(job.url, job)
      },
      { needs: 'user', ...jobOperations.create },
    )

    .put(
      '/jobs/:id',
      async ({ exchange, params, caller }) => {
        const { id } = getJobToManage(board, caller, idOfJson(params.id))
        return await updateJob(board, caller, id, await readInput(exchange, jobOperations.update))
      },
      { needs: 'user', ...jobOperations.update },
    )

    .delete(
      '/jobs/:id',
      async ({ params, caller }) => {
        const job = await removeJob(board, caller, idOfJson(params.id))
        return { message: `The job "${job.title}" was deleted.` }
      },
      { needs: 'user', ...jobOperations.remove },
    )

    .put(
      '/jobs/:id/approve.json',
      async ({ params, caller }) => {
        const job = await approveJob(board, caller, idOfBare(params.id))
        return { message: `The job "${job.title}" is approved.` }
      },
      { needs: 'admin', ...jobOperations.approve },
    )
