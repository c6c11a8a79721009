import { isAdmin, isOwner } from '../../base/caller.ts'
import type { RequestContext } from '../../http/request/context.ts'
import type { Traffic } from '../../traffic/traffic.ts'

const NOT_MODIFIED = 304

/** Returns whether the page's script sent a request. It searches at every pause in typing, all during one visit. */
const isScripted = ({ view, request }: RequestContext) =>
  view?.path === '/' && request.headers.get('sec-fetch-dest') === 'empty'

/** Counts a request's page view, unless it failed, or was made by an administrator or the job's owner. */
export function countView(traffic: Traffic, context: RequestContext, { ok, status }: Response): void {
  const { view, caller, request } = context
  if (!view || request.method === 'HEAD' || !(ok || status === NOT_MODIFIED)) return
  if (isScripted(context)) return
  if (isAdmin(caller) || (view.job && isOwner(caller, view.job))) return
  traffic.count({
    path: view.path,
    jobId: view.job?.id,
    hops: context.hops,
    userAgent: request.headers.get('user-agent') ?? '',
    isReported: view.isReported === true,
    referrer: view.referrer ?? request.headers.get('referer') ?? '',
  })
}
