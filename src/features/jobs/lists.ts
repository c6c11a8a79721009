import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../base/caller.ts'
import { invalid } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { admit } from '../../http/auth.ts'
import type { Exchange, View } from '../../http/exchange.ts'
import { draftListQuery } from '../../http/list.ts'
import { cut, pageOf } from '../../http/paging.ts'
import { RenderedList } from '../../http/rendered.ts'
import { listed } from '../../http/reply.ts'
import { type Listed, statusOf } from '../../search/listing.ts'
import { bodyOf } from './bodies.ts'
import { mayManage } from './rules.ts'
import { JobQuery } from './schema.ts'
import type { Job, OwnJob } from './shown.ts'

type Asked = Static<typeof JobQuery>

export const LIST_VIEW: View = { path: '/jobs.json' }

export const presentList = (list: RenderedList) => listed<Job | OwnJob>(list, list.total, list.link)

/**
 * The jobs that a query asks for, as the caller sees them, rendered.
 * @throws Problem 'unauthenticated' if the query needs an account, 'invalid'
 */
export function listJobs(board: Board, exchange: Exchange): RenderedList | Promise<RenderedList> {
  if (exchange.caller.userId !== undefined) return makeList(board, exchange)
  return board.listBodies.keeping(
    exchange.search,
    () => board.listing.version,
    () => makeList(board, exchange),
  )
}

/** The list as everybody sees it, where that is kept; undefined for those who may see more. */
export const keptListOf = ({ listBodies, listing }: Board, { caller, search }: Exchange) =>
  caller.userId === undefined ? listBodies.at(listing.version).get(search) : undefined

/** Whether what is asked for needs no account. */
export const isPublicList = ({ caller, query }: Exchange) =>
  caller.userId === undefined || !(query.has('status') || query.has('mine'))

function makeList(board: Board, exchange: Exchange): RenderedList | Promise<RenderedList> {
  const { caller, path, query } = exchange
  const draft = draftListQuery(exchange, JobQuery)
  if (draft.tells('status') || (draft.tells('mine') && draft.value('mine') !== false)) admit(caller, 'user')
  const asked = draft.settle()
  const page = pageOf(asked)
  const make = (jobs: readonly Listed[]) => {
    const link = page && board.links.pages(path, query, page, jobs.length)
    return new RenderedList(render(board, caller, cut(jobs, page)), jobs.length, link)
  }
  const jobs = findJobs(board, caller, asked)
  if (!(jobs instanceof Promise)) return make(jobs)
  exchange.isLate = true
  return jobs.then(make)
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
