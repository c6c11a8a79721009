import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../base/caller.ts'
import { invalid } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { admit } from '../../http/auth.ts'
import type { Exchange, View } from '../../http/exchange.ts'
import { draftListQuery } from '../../http/list.ts'
import { cut, pageOf } from '../../http/paging.ts'
import { QueryKeys } from '../../http/querykeys.ts'
import { RenderedList } from '../../http/rendered.ts'
import { listed } from '../../http/reply.ts'
import { type Listed, statusOf } from '../../search/listing.ts'
import { bodyOf } from './bodies.ts'
import { mayManage } from './rules.ts'
import { JobQuery } from './schema.ts'
import type { Job, OwnJob } from './shown.ts'

type Asked = Static<typeof JobQuery>

export const LIST_VIEW: View = { path: '/jobs.json' }

/** What lists are cached by. */
const KEYS = new QueryKeys(JobQuery)

export function presentList({ links }: Board, { path, search, query }: Exchange, list: RenderedList) {
  const link = list.linkFor(search, page => links.pages(path, query, page, list.total))
  return listed<Job | OwnJob>(list, list.total, link)
}

/**
 * The jobs that a query asks for, as the caller sees them, rendered.
 * @throws Problem 'unauthenticated' if the query needs an account, 'invalid'
 */
export function listJobs(board: Board, exchange: Exchange): RenderedList | Promise<RenderedList> {
  const key = exchange.caller.userId === undefined ? KEYS.of(exchange) : undefined
  const make = () => makeList(board, exchange)
  const list = key === undefined ? make() : board.listBodies.keeping(key, () => board.listing.version, make)
  if (list instanceof Promise) exchange.isLate = true
  return list
}

/** The list as everybody sees it, where that is kept; undefined for those who may see more. */
export function keptListOf({ listBodies, listing }: Board, exchange: Exchange): RenderedList | undefined {
  const key = exchange.caller.userId === undefined ? KEYS.of(exchange) : undefined
  return key === undefined ? undefined : listBodies.at(listing.version).get(key)
}

/** Whether what is asked for needs no account. */
export const isPublicList = ({ caller, query }: Exchange) =>
  caller.userId === undefined || !(query.has('status') || query.has('mine'))

function makeList(board: Board, exchange: Exchange): RenderedList | Promise<RenderedList> {
  const { caller } = exchange
  const draft = draftListQuery(exchange, JobQuery)
  if (draft.tells('status') || (draft.tells('mine') && draft.value('mine') !== false)) admit(caller, 'user')
  const asked = draft.settle()
  const page = pageOf(asked)
  const make = (jobs: readonly Listed[]) =>
    new RenderedList(render(board, caller, cut(jobs, page)), jobs.length, page)
  const jobs = findJobs(board, caller, asked)
  return jobs instanceof Promise ? jobs.then(make) : make(jobs)
}

/** The jobs that a query asks for and the caller may see, in the order of the list. */
export function findJobs(
  board: Board,
  caller: Caller,
  asked: Asked,
): readonly Listed[] | Promise<readonly Listed[]> {
  const { q } = asked
  const passes = filterOf(caller, asked)
  if (q === undefined) return candidatesOf(board, caller, asked).filter(passes)
  return searchJobs(board, asked, q).then(jobs => jobs.filter(passes))
}

async function searchJobs({ listing, search }: Board, asked: Asked, q: string): Promise<readonly Listed[]> {
  requireActive(asked)
  listing.recount()
  // one may have expired while others were looked for
  return listing.activeAmong(await search.search(q))
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
): readonly Listed[] {
  if (status === 'active') return listing.active
  const now = clock()
  return listing.all.filter(job => {
    const is = statusOf(job, now)
    return (status === 'all' || is === status) && (is === 'active' || mayManage(caller, job))
  })
}

/** Tells of a job whether it passes the filters of a query. */
export function filterOf(caller: Caller, { term, category, arrangement, mine }: Asked) {
  return (job: Listed) =>
    (term === undefined || job.termId === term) &&
    (category === undefined || job.categoryId === category) &&
    (arrangement === undefined || job.arrangement === arrangement) &&
    (mine !== true || job.userId === caller.userId)
}

const COMMA = Buffer.from(',')
const OPEN = Buffer.from('[')
const CLOSE = Buffer.from(']')

/** Puts a list together from the bodies of its jobs, which are mostly kept. */
function render(board: Board, caller: Caller, jobs: readonly Listed[]): Uint8Array {
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
