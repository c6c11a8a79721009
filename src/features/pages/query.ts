import { type Static, Type } from '@sinclair/typebox'
import type { RequestContext } from '../../http/request/context.ts'
import { validateQuery } from '../../http/response/list.ts'
import { pagingFields } from '../../http/response/paging.ts'
import { QueryKeys } from '../../http/response/queryKeys.ts'
import { JobQuery } from '../jobs/schema.ts'

const { q, term, category, arrangement } = JobQuery.properties

const FeedQuery = Type.Object({ q, term, category, arrangement })
const ListQuery = Type.Object({ ...FeedQuery.properties, page: pagingFields.page })

/** The query parameters that cached lists and feeds depend on. */
export const LIST_KEYS = new QueryKeys(ListQuery)
export const FEED_KEYS = new QueryKeys(FeedQuery)

/** The checked query of a page or a feed. */
export type PageQuery = Static<typeof ListQuery>

/** @throws Problem 'invalid' that names every wrong value */
export const readPageQuery = (context: RequestContext): PageQuery =>
  validateQuery(context, ListQuery).valueOrThrow()

/** @throws Problem 'invalid' that names every wrong value */
export const readFeedQuery = (context: RequestContext): Static<typeof FeedQuery> =>
  validateQuery(context, FeedQuery).valueOrThrow()

/** Formats a query as `?q=…`, in a fixed order of parameters; empty if there are none. */
export function queryText(query: PageQuery): string {
  const parameters = new URLSearchParams()
  for (const name of ['q', 'category', 'term', 'arrangement', 'page'] as const) {
    const value = query[name]
    if (value !== undefined && !(name === 'page' && value === 1)) parameters.set(name, String(value))
  }
  const text = String(parameters)
  return text === '' ? '' : `?${text}`
}

/** Returns the query without its page. */
export function withoutPage(query: PageQuery): PageQuery {
  const { page, ...rest } = query
  return page === undefined ? query : rest
}
