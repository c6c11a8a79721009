import { Elysia } from 'elysia'
import { isAdmin } from '../../base/caller.ts'
import { notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { NotFound, parseId, parseIdAndSuffix, parseJsonId } from '../../http/paths.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { readInput } from '../../http/request/input.ts'
import type { RenderedList } from '../../http/response/encodedBody.ts'
import { created, type HtmlReply, Reply } from '../../http/response/reply.ts'
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
import type { Job, OwnJob } from './responseSchemas.ts'

/** A job that is asked for. */
export interface SoughtJob {
  readonly id: number
  readonly exchange: RequestContext
  /**
   * Reads it.
   * @throws Problem 'notFound' if there is none that the caller may see
   */
  readonly read: () => JobRow
}

export type Represent = (sought: SoughtJob) => HtmlReply | Promise<HtmlReply>
/** What a job can be had as beside JSON, by what its path ends in. */
export type Representations = ReadonlyMap<string, Represent>

function answerList(board: Board, context: RequestContext) {
  const list = listJobs(board, context)
  const present = (made: RenderedList) => presentList(board, context, made)
  return list instanceof Promise ? list.then(present) : present(list)
}

export const jobRoutes = (board: Board, representations: Representations) =>
  new Elysia({ name: 'jobs' })
    .use(guard)

    .get(
      '/jobs.json',
      ({ exchange: context }) => {
        const answer = answerList(board, context)
        if (isPublicList(context)) context.view = LIST_VIEW
        return answer
      },
      { needs: 'nobody', ...jobOperations.list },
    )

    .get(
      '/jobs/:id',
      ({ params, exchange: context, caller }) => {
        const { id, suffix } = parseIdAndSuffix(params.id)
        const represent = representations.get(suffix)
        if (represent) return represent({ id, exchange: context, read: () => getJob(board, caller, id) })
        if (suffix !== 'json') throw new NotFound()
        const body = bodyOf(board, caller, id)
        if (!body) throw notFound('job')
        context.view = viewOf(board, id)
        return new Reply<Job | OwnJob, 200>(body)
      },
      { needs: 'nobody', ...jobOperations.read },
    )

    .post(
      '/jobs.json',
      async ({ exchange: context, caller }) => {
        requireConfirmed(board, caller)
        const post = async () => createJob(board, caller, await readInput(context, jobOperations.create))
        const { userId } = caller
        const isLimited = userId !== undefined && !isAdmin(caller)
        const job = isLimited ? await context.limit.spendJob(userId, post) : await post()
        return created(job.url, job)
      },
      { needs: 'user', ...jobOperations.create },
    )

    .put(
      '/jobs/:id',
      async ({ exchange: context, params, caller }) => {
        const { id } = getJobToManage(board, caller, parseJsonId(params.id))
        return await updateJob(board, caller, id, await readInput(context, jobOperations.update))
      },
      { needs: 'user', ...jobOperations.update },
    )

    .delete(
      '/jobs/:id',
      async ({ params, caller }) => {
        const job = await removeJob(board, caller, parseJsonId(params.id))
        return { message: `The job "${job.title}" was deleted.` }
      },
      { needs: 'user', ...jobOperations.remove },
    )

    .put(
      '/jobs/:id/approve.json',
      async ({ params, caller }) => {
        const job = await approveJob(board, caller, parseId(params.id))
        return { message: `The job "${job.title}" is approved.` }
      },
      { needs: 'admin', ...jobOperations.approve },
    )
