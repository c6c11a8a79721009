import type { Board } from '../../board.ts'
import { routePattern } from '../../http/paths.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { Reply } from '../../http/response/reply.ts'
import { keptBodyOf, viewOf } from './bodies.ts'
import { keptListOf, LIST_VIEW, presentList } from './lists.ts'

const JOBS = '/jobs/'
const JOB = routePattern(`${JOBS}:id`)

/**
 * What is asked for most, jobs and lists as everybody sees them, where it is kept: it is answered without looking for a
 * route, which takes longer than all else about it. What is not kept here the routes make, and keep.
 */
export function readyJobs(board: Board, context: RequestContext): Reply | undefined {
  const { caller, path, request } = context
  if (request.method !== 'GET') return undefined
  if (path === LIST_VIEW.path) {
    const list = keptListOf(board, context)
    context.view = list && LIST_VIEW
    return list && presentList(board, context, list)
  }
  if (!JOB.test(path)) return undefined
  const id = Number.parseInt(path.slice(JOBS.length), 10)
  const body = keptBodyOf(board, caller, id)
  context.view = body && viewOf(board, id)
  return body && new Reply(body)
}
