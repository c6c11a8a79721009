import type { Board } from '../../board.ts'
import type { Exchange } from '../../http/exchange.ts'
import { routePattern } from '../../http/ids.ts'
import { Reply } from '../../http/reply.ts'
import { keptBodyOf, viewOf } from './bodies.ts'
import { keptListOf, LIST_VIEW, presentList } from './lists.ts'

const JOBS = '/jobs/'
const JOB = routePattern(`${JOBS}:id`)

/**
 * What is asked for most, jobs and lists as everybody sees them, where it is kept: it is answered without looking for a
 * route, which takes longer than all else about it. What is not kept here the routes make, and keep.
 */
export function readyJobs(board: Board, exchange: Exchange): Reply | undefined {
  const { caller, path, request } = exchange
  if (request.method !== 'GET') return undefined
  if (path === LIST_VIEW.path) {
    const list = keptListOf(board, exchange)
    exchange.view = list && LIST_VIEW
    return list && presentList(board, exchange, list)
  }
  if (!JOB.test(path)) return undefined
  const id = Number.parseInt(path.slice(JOBS.length), 10)
  const body = keptBodyOf(board, caller, id)
  exchange.view = body && viewOf(board, id)
  return body && new Reply(body)
}
