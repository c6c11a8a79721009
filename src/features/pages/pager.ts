import { PER_PAGE } from '../../http/response/paging.ts'
import { type PageQuery, queryText } from './query.ts'

/** How many pages before and after the current one have a link. */
const NEIGHBOURS = 1

/** Returns the links to other pages of a list: the first, the last, and those around this one. */
export function presentPager(query: PageQuery, total: number) {
  const last = Math.max(1, Math.ceil(total / PER_PAGE))
  const { page = 1 } = query
  const to = (number: number) => `/${queryText({ ...query, page: number })}`
  const numbers = numbersAround(Math.min(page, last), last)
  return {
    page,
    last,
    first_path: to(1),
    previous_path: page > 1 ? to(Math.min(page - 1, last)) : '',
    next_path: page < last ? to(page + 1) : '',
    pages: numbers.map((number, index) => ({
      number,
      path: to(number),
      is_current: number === page,
      is_after_gap: number > (numbers[index - 1] ?? 0) + 1,
    })),
  }
}

function numbersAround(page: number, last: number): number[] {
  const around = Array.from({ length: 2 * NEIGHBOURS + 1 }, (_, index) => page - NEIGHBOURS + index)
  return [...new Set([1, ...around, last])]
    .filter(number => number >= 1 && number <= last)
    .sort((a, b) => a - b)
}
