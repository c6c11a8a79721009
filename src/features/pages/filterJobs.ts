import { ANONYMOUS } from '../../base/caller.ts'
import type { JobSummary } from '../../search/jobSummary.ts'
import { foldName } from '../../store/tables.ts'
import { filterOf } from '../jobs/findJobs.ts'
import { type PageQuery, withoutPage } from './query.ts'

/** Returns the jobs that match the filters of a query. Its words are another matter. */
export function filterJobs(jobs: readonly JobSummary[], query: PageQuery): readonly JobSummary[] {
  const { q: _, company: name, ...filters } = withoutPage(query)
  const ofCompany = name === undefined ? jobs : jobs.filter(job => job.company === foldName(name))
  return Object.keys(filters).length === 0 ? ofCompany : ofCompany.filter(filterOf(ANONYMOUS, filters))
}
