import { type Static, Type } from '@sinclair/typebox'
import type { Exchange } from '../../http/exchange.ts'
import { draftListQuery } from '../../http/list.ts'
import { pageFields } from '../../http/paging.ts'
import { QueryKeys } from '../../http/querykeys.ts'
import { JobQuery } from '../jobs/schema.ts'

const { q, term, category, arrangement } = JobQuery.properties

const FeedQuery = Type.Object({ q, term, category, arrangement })
const Asked = Type.Object({ ...FeedQuery.properties, page: pageFields.page })

/** What lists and feeds are cached by. */
export const LIST_KEYS = new QueryKeys(Asked)
export const FEED_KEYS = new QueryKeys(FeedQuery)

/** What a page or a feed is asked for. */
export type PageQuery = Static<typeof Asked>

/** @throws Problem 'invalid' that names every value at fault */
export const readPageQuery = (exchange: Exchange): PageQuery => draftListQuery(exchange, Asked).settle()

/** @throws Problem 'invalid' that names every value at fault */
export const readFeedQuery = (exchange: Exchange): Static<typeof FeedQuery> =>
  draftListQuery(exchange, FeedQuery).settle()

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
