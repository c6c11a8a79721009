import { ANONYMOUS } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { PER_PAGE, sliceOf } from '../../http/response/paging.ts'
import { findVisibleJobs } from '../jobs/findJobs.ts'
import { cardsOf } from './card.ts'
import { presentFilters } from './facets.ts'
import { filterForPage } from './filterForPage.ts'
import { presentOffers } from './offers.ts'
import { presentPager } from './pager.ts'
import { type PageQuery, queryText, withoutPage } from './query.ts'
import { chipsOf, criteriaOf, describeSearch } from './searchText.ts'
import { countText, feedsOf, type Head } from './view.ts'

const NONE_FOUND = 'No jobs found'

/** Returns the view of the list's template. */
export async function presentListPage(board: Board, query: PageQuery) {
  const found = await findVisibleJobs(board, ANONYMOUS, query.q === undefined ? {} : { q: query.q })
  const candidates = found.jobs
  const jobs = filterForPage(candidates, query)
  const filters = presentFilters(board, candidates, query)
  const criteria = criteriaOf(query, filters)
  const isFiltered = Object.keys(withoutPage(query)).length > 0
  const heading = isFiltered && jobs.length === 0 ? NONE_FOUND : describeSearch(criteria, jobs.length)
  return {
    head: headOf(board, query, heading, jobs.length),
    heading,
    q: query.q ?? '',
    company: query.company ?? '',
    filters,
    filter_count: filters.filter(({ name }) => query[name] !== undefined).length,
    chips: chipsOf(criteria, query),
    is_filtered: isFiltered,
    jobs: cardsOf(board, sliceOf(jobs, { page: query.page ?? 1, perPage: PER_PAGE })),
    total: jobs.length,
    is_partial: found.search?.match === 'some',
    corrected: found.search?.corrected ?? '',
    pager: presentPager(query, jobs.length),
    // On an empty board, the owner sees the first steps.
    is_new: board.jobIndex.all.length === 0,
    ...(jobs.length === 0 && { offers: presentOffers(board, query, criteria, candidates) }),
  }
}

function headOf({ config, links }: Board, query: PageQuery, heading: string, total: number): Head {
  const { page = 1, ...filters } = query
  const isUnfiltered = Object.keys(filters).length === 0
  return {
    title:
      isUnfiltered && page === 1
        ? [config.name, ...(config.tagline === undefined ? [] : [config.tagline])].join(': ')
        : `${heading}${page > 1 ? `, page ${page}` : ''} · ${config.name}`,
    description: `${countText(total, 'open position')} on ${config.name}.`,
    canonical: links.to(`/${queryText(query)}`),
    is_indexed: query.q === undefined && total > 0 && (page - 1) * PER_PAGE < total,
    image: '',
    json_ld: '',
    feeds: feedsOf(query),
  }
}
