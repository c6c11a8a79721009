import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../base/caller.ts'
import type { Later } from '../../base/later.ts'
import { invalid } from '../../base/problem.ts'
import { Semaphore } from '../../base/semaphore.ts'
import type { Board } from '../../board.ts'
import { type Page, sliceOf } from '../../http/response/paging.ts'
import type { JobSummary } from '../../search/jobSummary.ts'
import type { SearchMatch } from '../../search/searchMessages.ts'
import { statusOf } from '../../store/jobStatus.ts'
import { mayManage } from './rules.ts'
import type { JobQuery } from './schema.ts'

/** The number of searches that may be under way. A flood of clients that don't wait for their results must not delay everybody else. */
const MAX_SEARCHES = 1000
const searches = new Semaphore(MAX_SEARCHES, 0, 'Too many searches are under way. Please try again.')

export type JobListQuery = Static<typeof JobQuery>

/** A list of jobs or a page of it, and for a search, how the jobs match it. */
export interface JobList {
  /** May be the index's own array, which the next write changes. */
  readonly jobs: readonly JobSummary[]
  /** The number of jobs on all pages. */
  readonly total: number
  readonly search?: SearchMatch
}

/**
 * Returns the jobs that match a query and that the caller may see, in the order of the list.
 * @param page returns only these of them
 * @throws Problem 'busy' if too many searches are under way
 */
export function findVisibleJobs(
  board: Board,
  caller: Caller,
  query: JobListQuery,
  page?: Page,
): Later<JobList> {
  const { q } = query
  if (q !== undefined) return searchJobs(board, caller, query, q, page)
  const jobs = filterJobs(candidatesOf(board, caller, query), caller, query)
  return { jobs: sliceOf(jobs, page), total: jobs.length }
}

async function searchJobs(
  { jobIndex, search }: Board,
  caller: Caller,
  query: JobListQuery,
  q: string,
  page: Page | undefined,
): Promise<JobList> {
  requireActive(query)
  jobIndex.refresh()
  const result = await searches.run(() => search.search(q))
  // A job may have expired during the search.
  const ids = jobIndex.activeAmong(result.ids)
  const matches = { match: result.match, corrected: result.corrected }
  const summariesOf = (some: readonly number[]) => some.flatMap(id => jobIndex.get(id) ?? [])
  if (!isFiltered(query)) return { jobs: summariesOf(sliceOf(ids, page)), total: ids.length, search: matches }
  const jobs = filterJobs(summariesOf(ids), caller, query)
  return { jobs: sliceOf(jobs, page), total: jobs.length, search: matches }
}

/** @throws Problem 'invalid' for a search with another status: only active jobs are in the search index */
function requireActive({ status = 'active' }: JobListQuery): void {
  if (status !== 'active') throw invalid({ q: ['searches active jobs only. Leave status out.'] })
}

/** Returns the jobs with a status. Those that are not active are visible only to their owners and administrators. */
function candidatesOf(
  { jobIndex, clock }: Board,
  caller: Caller,
  { status = 'active' }: JobListQuery,
): readonly JobSummary[] {
  if (status === 'active') return jobIndex.active
  const now = clock()
  return jobIndex.all.filter(job => {
    const is = statusOf(job, now)
    return (status === 'all' || is === status) && (is === 'active' || mayManage(caller, job))
  })
}

/** Most lists are not filtered, and a board can have many jobs. */
const isFiltered = ({ term, category, arrangement, mine }: JobListQuery) =>
  [term, category, arrangement, mine].some(value => value !== undefined)

/** Returns the jobs that match the filters of a query. Its words are another matter. */
export function filterJobs(
  jobs: readonly JobSummary[],
  caller: Caller,
  query: JobListQuery,
): readonly JobSummary[] {
  if (!isFiltered(query)) return jobs
  const { term, category, arrangement, mine } = query
  return jobs.filter(
    job =>
      (term === undefined || job.termId === term) &&
      (category === undefined || job.categoryId === category) &&
      (arrangement === undefined || job.arrangement === arrangement) &&
      (mine !== true || job.userId === caller.userId),
  )
}
