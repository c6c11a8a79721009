import type { Board } from '../../board.ts'
import type { JobSummary } from '../../search/jobSummary.ts'
import { cardsOf } from './card.ts'
import { filterForPage } from './filterForPage.ts'
import { type PageQuery, queryText, without } from './query.ts'
import { type Criteria, describeSearch } from './searchText.ts'

const MAX_JOBS = 5

/**
 * Returns what else may help when nothing matches: the searches with one criterion less that have results, and jobs of
 * the first of them, or else the newest jobs.
 * @param found the results of the search's words, before any filter
 */
export function presentOffers(
  board: Board,
  query: PageQuery,
  criteria: Criteria,
  found: readonly JobSummary[],
) {
  const { active } = board.jobIndex
  // The keys of criteria are names of the query.
  const wider = (Object.keys(criteria) as (keyof Criteria)[]).map(name => {
    const { [name]: _, ...rest } = criteria
    const others = without(query, name)
    const jobs = filterForPage(name === 'q' ? active : found, others)
    return { text: describeSearch(rest, jobs.length), path: `/${queryText(others)}`, jobs }
  })
  const useful = wider.filter(({ jobs, path }) => jobs.length > 0 && path !== '/')
  const [similar] = useful
  return {
    searches: useful.map(({ text, path }) => ({ text, path })),
    jobs: cardsOf(board, (similar?.jobs ?? active).slice(0, MAX_JOBS)),
    jobs_heading: similar ? 'Similar jobs' : 'Newest jobs',
  }
}
