import type { Caller } from '../../base/caller.ts'
import { andThen, type Later } from '../../base/later.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { changeSeqHeader } from '../../http/response/changeSeq.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { canonicalQuery, validateQuery } from '../../http/response/list.ts'
import { pageOf } from '../../http/response/paging.ts'
import { listHeaders, Reply } from '../../http/response/reply.ts'
import { EncodedReply } from '../../http/response/responseCache.ts'
import type { RouteContext } from '../../http/route.ts'
import type { Access } from '../../http/routeDescription.ts'
import type { SearchMatch } from '../../search/searchMessages.ts'
import { findVisibleJobs, type JobListQuery } from './findJobs.ts'
import { jobJson } from './jobJson.ts'
import type { Job, OwnJob } from './responseSchemas.ts'
import { JobQuery } from './schema.ts'

type Listed = (Job | OwnJob)[]
type ListReply = Reply<Listed, 200>
type ListContext = RouteContext<{ access: Access; query: typeof JobQuery }>

const PATH = '/jobs.json'

/** Returns the access that a query needs: an account for one's own jobs, and for those that are not active. */
export function accessForList(context: RequestContext): Access {
  if (isPublicQuery(context)) return 'public'
  const query = validateQuery(context, JobQuery)
  return query.has('status') || (query.has('mine') && query.value('mine') !== false) ? 'user' : 'public'
}

const isPublicQuery = ({ query }: RequestContext) => !query.has('status') && !query.has('mine')

/** Replies with the jobs that match a query, as the caller sees them. */
export function replyWithJobs(board: Board, context: ListContext): Later<ListReply> {
  const { caller, input } = context
  if (input.status === undefined && input.mine !== true) context.view = { path: PATH }
  const key = PATH + canonicalQuery(JobQuery, input)
  const create = () => makeList(board, caller, input, key)
  const list =
    caller.userId === undefined
      ? board.responses.getOrCreate(key, () => board.jobIndex.version, create, true)
      : create()
  return andThen(list, reply => linkPages(board, context, key, reply))
}

function makeList(
  board: Board,
  caller: Caller,
  query: JobListQuery,
  key: string,
): Later<EncodedReply<Listed>> {
  const page = pageOf(query)
  const { appliedSeq } = board.journalTimer.watch
  return andThen(findVisibleJobs(board, caller, query, page), ({ jobs, total, search }) => {
    // Most of these are cached.
    const body = EncodedBody.jsonArray(jobs.flatMap(({ id }) => jobJson(board, caller, id)?.body ?? []))
    const link = page && board.links.pages(PATH, parametersOf(key), page, total)
    const headers = {
      ...listHeaders(total, link),
      ...(search && searchHeaders(search)),
      ...changeSeqHeader(appliedSeq),
    }
    return new EncodedReply<Listed>(body, headers, { path: PATH })
  })
}

const parametersOf = (target: string) => new Map(new URLSearchParams(target.slice(PATH.length)))

/** Returns a cached page of a list with links that repeat the query in the form in which this client sent it. */
function linkPages({ links }: Board, context: ListContext, key: string, reply: ListReply): ListReply {
  const page = pageOf(context.input)
  if (!page || context.canonicalTarget === key) return reply
  const total = Number(reply.headers['x-total-count'])
  const link = links.pages(PATH, context.query, page, total)
  return new Reply(reply.body, 200, { ...reply.headers, link })
}

/** Returns the headers of a search. A correction can have any letters, but a header must be ASCII. */
const searchHeaders = ({ match, corrected }: SearchMatch) => ({
  'x-search': match,
  ...(corrected !== undefined && {
    'x-search-corrected': corrected.replaceAll(/[^ -~]|%/gu, encodeURIComponent),
  }),
})
