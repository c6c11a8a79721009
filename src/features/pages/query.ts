import { type Static, Type } from '@sinclair/typebox'
import type { RequestContext } from '../../http/request/context.ts'
import { validateQuery } from '../../http/response/list.ts'
import { pagingFields } from '../../http/response/paging.ts'
import { QueryKeys } from '../../http/response/queryKeys.ts'
import { JobQuery } from '../jobs/schema.ts'

const { q, term, category, arrangement } = JobQuery.properties

const FeedQuery = Type.Object({ q, term, category, arrangement })
const Asked = Type.Object({ ...FeedQuery.properties, page: pagingFields.page })

/** What lists and feeds are cached by. */
export const LIST_KEYS = new QueryKeys(Asked)
export const FEED_KEYS = new QueryKeys(FeedQuery)

/** What a page or a feed is asked for. */
export type PageQuery = Static<typeof Asked>

/** @throws Problem 'invalid' that names every value at fault */
export const readPageQuery = (context: RequestContext): PageQuery =>
  validateQuery(context, Asked).valueOrThrow()

/** @throws Problem 'invalid' that names every value at fault */
export const readFeedQuery = (context: RequestContext): Static<typeof FeedQuery> =>
  validateQuery(context, FeedQuery).valueOrThrow()

/** The query that asks for this, always in the same order, with its `?`; empty if it asks for nothing. */
export function queryText(query: PageQuery): string {
  const parameters = new URLSearchParams()
  for (const name of ['q', 'category', 'term', 'arrangement', 'page'] as const) {
    const value = query[name]
    if (value !== undefined && !(name === 'page' && value === 1)) parameters.set(name, String(value))
  }
  const text = String(parameters)
  return text === '' ? '' : `?${text}`
}

/** The same without its page. */
export function withoutPage(query: PageQuery): PageQuery {
  const { page, ...rest } = query
  return page === undefined ? query : rest
}
