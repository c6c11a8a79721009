import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../base/caller.ts'
import type { Later } from '../../base/later.ts'
import { invalid } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { JobSummary } from '../../search/jobSummary.ts'
import type { SearchMatch } from '../../search/searchMessages.ts'
import { statusOf } from '../../store/jobStatus.ts'
import { mayManage } from './rules.ts'
import type { JobQuery } from './schema.ts'

export type JobListQuery = Static<typeof JobQuery>

/** A list of jobs, and for a search, how they match it. */
export interface JobList {
  /** May be the index's own array, which the next write changes. */
  readonly jobs: readonly JobSummary[]
  readonly search?: SearchMatch
}

/** Returns the jobs that match a query and that the caller may see, in the order of the list. */
export function findVisibleJobs(board: Board, caller: Caller, query: JobListQuery): Later<JobList> {
  const { q } = query
  if (q === undefined) return { jobs: filterJobs(candidatesOf(board, caller, query), caller, query) }
  return searchJobs(board, query, q).then(({ jobs, search }) => ({
    jobs: filterJobs(jobs, caller, query),
    ...(search && { search }),
  }))
}

async function searchJobs({ jobIndex, search }: Board, query: JobListQuery, q: string): Promise<JobList> {
  requireActive(query)
  jobIndex.refresh()
  // A job may have expired during the search.
  const { ids, match, corrected } = await search.search(q)
  return { jobs: jobIndex.activeAmong(ids), search: { match, corrected } }
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

/** Returns the jobs that match the filters of a query. Its words are another matter. */
export function filterJobs(
  jobs: readonly JobSummary[],
  caller: Caller,
  { term, category, arrangement, mine }: JobListQuery,
): readonly JobSummary[] {
  // Most lists are not filtered, and a board can have many jobs.
  if ([term, category, arrangement, mine].every(value => value === undefined)) return jobs
  return jobs.filter(
    job =>
      (term === undefined || job.termId === term) &&
      (category === undefined || job.categoryId === category) &&
      (arrangement === undefined || job.arrangement === arrangement) &&
      (mine !== true || job.userId === caller.userId),
  )
}
