import { ANONYMOUS } from '../../base/caller.ts'
import type { JobSummary } from '../../search/jobSummary.ts'
import { foldName } from '../../store/tables.ts'
import { filterJobs } from '../jobs/findJobs.ts'
import { type PageQuery, withoutPage } from './query.ts'

/** Returns the jobs that match the filters of a page's query, including the company. */
export function filterForPage(jobs: readonly JobSummary[], query: PageQuery): readonly JobSummary[] {
  const { company: name, ...filters } = withoutPage(query)
  const ofCompany = name === undefined ? jobs : jobs.filter(job => job.company === foldName(name))
  return filterJobs(ofCompany, ANONYMOUS, filters)
}
