import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../base/caller.ts'
import { invalid } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { requireAccess } from '../../http/auth.ts'
import type { PageView, RequestContext } from '../../http/request/context.ts'
import { RenderedList } from '../../http/response/encodedBody.ts'
import { validateQuery } from '../../http/response/list.ts'
import { pageOf, sliceOf } from '../../http/response/paging.ts'
import { QueryKeys } from '../../http/response/queryKeys.ts'
import { listReply } from '../../http/response/reply.ts'
import { type JobSummary, statusOf } from '../../search/jobIndex.ts'
import { bodyOf } from './bodies.ts'
import type { Job, OwnJob } from './responseSchemas.ts'
import { mayManage } from './rules.ts'
import { JobQuery } from './schema.ts'

type Asked = Static<typeof JobQuery>

export const LIST_VIEW: PageView = { path: '/jobs.json' }

/** What lists are cached by. */
const KEYS = new QueryKeys(JobQuery)

export function presentList({ links }: Board, { path, search, query }: RequestContext, list: RenderedList) {
  const link = list.linkFor(search, page => links.pages(path, query, page, list.total))
  return listReply<Job | OwnJob>(list, list.total, link)
}

/**
 * The jobs that a query asks for, as the caller sees them, rendered.
 * @throws Problem 'unauthenticated' if the query needs an account, 'invalid'
 */
export function listJobs(board: Board, context: RequestContext): RenderedList | Promise<RenderedList> {
  const key = context.caller.userId === undefined ? KEYS.of(context) : undefined
  const make = () => makeList(board, context)
  const list = key === undefined ? make() : board.listBodies.keeping(key, () => board.listing.version, make)
  if (list instanceof Promise) context.isLate = true
  return list
}

/** The list as everybody sees it, where that is kept; undefined for those who may see more. */
export function keptListOf(
  { listBodies, listing }: Board,
  context: RequestContext,
): RenderedList | undefined {
  const key = context.caller.userId === undefined ? KEYS.of(context) : undefined
  return key === undefined ? undefined : listBodies.at(listing.version).get(key)
}

/** Whether what is asked for needs no account. */
export const isPublicList = ({ caller, query }: RequestContext) =>
  caller.userId === undefined || !(query.has('status') || query.has('mine'))

function makeList(board: Board, context: RequestContext): RenderedList | Promise<RenderedList> {
  const { caller } = context
  const validation = validateQuery(context, JobQuery)
  if (validation.has('status') || (validation.has('mine') && validation.value('mine') !== false))
    requireAccess(caller, 'user')
  const asked = validation.valueOrThrow()
  const page = pageOf(asked)
  const make = (jobs: readonly JobSummary[]) =>
    new RenderedList(render(board, caller, sliceOf(jobs, page)), jobs.length, page)
  const jobs = findJobs(board, caller, asked)
  return jobs instanceof Promise ? jobs.then(make) : make(jobs)
}

/** The jobs that a query asks for and the caller may see, in the order of the list. */
export function findJobs(
  board: Board,
  caller: Caller,
  asked: Asked,
): readonly JobSummary[] | Promise<readonly JobSummary[]> {
  const { q } = asked
  const passes = filterOf(caller, asked)
  if (q === undefined) return candidatesOf(board, caller, asked).filter(passes)
  return searchJobs(board, asked, q).then(jobs => jobs.filter(passes))
}

async function searchJobs(
  { listing, search }: Board,
  asked: Asked,
  q: string,
): Promise<readonly JobSummary[]> {
  requireActive(asked)
  listing.refresh()
  // one may have expired while others were looked for
  const { ids } = await search.search(q)
  return listing.activeAmong(ids)
}

/** Search knows the active jobs only. */
function requireActive({ status = 'active' }: Asked): void {
  if (status !== 'active') throw invalid({ q: ['searches active jobs only: leave status out'] })
}

/** The jobs of the status that was asked for; those not active are their owners' and the administrators' to see. */
function candidatesOf(
  { listing, clock }: Board,
  caller: Caller,
  { status = 'active' }: Asked,
): readonly JobSummary[] {
  if (status === 'active') return listing.active
  const now = clock()
  return listing.all.filter(job => {
    const is = statusOf(job, now)
    return (status === 'all' || is === status) && (is === 'active' || mayManage(caller, job))
  })
}

/** Tells of a job whether it passes the filters of a query. */
export function filterOf(caller: Caller, { term, category, arrangement, mine }: Asked) {
  return (job: JobSummary) =>
    (term === undefined || job.termId === term) &&
    (category === undefined || job.categoryId === category) &&
    (arrangement === undefined || job.arrangement === arrangement) &&
    (mine !== true || job.userId === caller.userId)
}

const COMMA = Buffer.from(',')
const OPEN = Buffer.from('[')
const CLOSE = Buffer.from(']')

/** Puts a list together from the bodies of its jobs, which are mostly kept. */
function render(board: Board, caller: Caller, jobs: readonly JobSummary[]): Uint8Array {
  const parts: Uint8Array[] = [OPEN]
  for (const { id } of jobs) {
    const body = bodyOf(board, caller, id)?.body
    if (!body) continue
    if (parts.length > 1) parts.push(COMMA)
    parts.push(body)
  }
  parts.push(CLOSE)
  return Buffer.concat(parts)
}
