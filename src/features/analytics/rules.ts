import { type Caller, isAdmin, isOwner } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { REDIRECT } from '../../http/response/reply.ts'
import type { JobIndex } from '../../search/jobIndex.ts'

const NOT_MODIFIED = 304

/** Returns whether the page's script sent a request. It searches at every pause in typing, all during one visit. */
const isScripted = ({ view, request }: RequestContext) =>
  view?.path === '/' && request.headers.get('sec-fetch-dest') === 'empty'

/**
 * Counts what a request did: a page view, the jobs that the page shows, or another step to an application. Doesn't count
 * it if it failed, or if an administrator or the job's owner sent it.
 */
export function countView(
  { traffic, jobIndex }: Pick<Board, 'traffic' | 'jobIndex'>,
  context: RequestContext,
  { ok, status }: Response,
): void {
  const { view, caller, request } = context
  if (!view || request.method === 'HEAD' || !(ok || status === NOT_MODIFIED || status === REDIRECT)) return
  if (isAdmin(caller) || (view.job && isOwner(caller, view.job))) return
  const { step = 'view', shown } = view
  traffic.count({
    path: step === 'view' && !isScripted(context) ? view.path : undefined,
    jobId: view.job?.id,
    step,
    shown: shown && withoutOwn(caller, shown, jobIndex),
    hops: context.hops,
    userAgent: request.headers.get('user-agent') ?? '',
    isReported: view.isReported === true,
    referrer: view.referrer ?? request.headers.get('referer') ?? '',
  })
}

/** Returns the jobs that the caller doesn't own. */
const withoutOwn = ({ userId }: Caller, ids: readonly number[], jobIndex: JobIndex) =>
  userId === undefined ? ids : ids.filter(id => jobIndex.get(id)?.userId !== userId)
