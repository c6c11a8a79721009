import { ANONYMOUS } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { PER_PAGE, sliceOf } from '../../http/response/paging.ts'
import { filterOf, findVisibleJobs } from '../jobs/findJobs.ts'
import { cardsOf } from './card.ts'
import { presentFilters } from './facets.ts'
import { type PageQuery, queryText, withoutPage } from './query.ts'
import { countText, feedsOf, type Head } from './view.ts'

/** Returns the view of the list's template. */
export async function presentListPage(board: Board, query: PageQuery) {
  const found = await findVisibleJobs(board, ANONYMOUS, query.q === undefined ? {} : { q: query.q })
  const candidates = found.jobs
  const jobs = candidates.filter(filterOf(ANONYMOUS, query))
  const filters = presentFilters(board, candidates, query)
  const chosen = filters.flatMap(({ options }) => options.filter(({ selected }) => selected))
  const heading = headingOf(
    query,
    jobs.length,
    chosen.map(({ name }) => name),
  )
  return {
    head: headOf(board, query, heading, jobs.length),
    heading,
    q: query.q ?? '',
    filters,
    is_filtered: Object.keys(withoutPage(query)).length > 0,
    jobs: cardsOf(board, sliceOf(jobs, { page: query.page ?? 1, perPage: PER_PAGE })),
    total: jobs.length,
    is_partial: found.search?.match === 'some',
    corrected: found.search?.corrected ?? '',
    pager: pagerOf(query, jobs.length),
  }
}

function headingOf({ q }: PageQuery, total: number, chosen: readonly string[]): string {
  const text = chosen.length > 0 ? `${countText(total)}: ${chosen.join(', ')}` : countText(total)
  return q === undefined ? text : `${text} for “${q}”`
}

function headOf({ config, links }: Board, query: PageQuery, heading: string, total: number): Head {
  const { page = 1, ...filters } = query
  const isUnfiltered = Object.keys(filters).length === 0
  return {
    title:
      isUnfiltered && page === 1
        ? config.name
        : `${heading}${page > 1 ? `, page ${page}` : ''} · ${config.name}`,
    description: `${countText(total, 'open position')} on ${config.name}.`,
    canonical: links.to(`/${queryText(query)}`),
    is_indexed: query.q === undefined && (page === 1 || (page - 1) * PER_PAGE < total),
    image: '',
    json_ld: '',
    feeds: feedsOf(query),
  }
}

function pagerOf(query: PageQuery, total: number) {
  const last = Math.max(1, Math.ceil(total / PER_PAGE))
  const { page = 1 } = query
  const to = (number: number) => `/${queryText({ ...query, page: number })}`
  return {
    page,
    last,
    first_path: to(1),
    previous_path: page > 1 ? to(Math.min(page - 1, last)) : '',
    next_path: page < last ? to(page + 1) : '',
  }
}
