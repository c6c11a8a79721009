import { type Static, Type } from '@sinclair/typebox'
import { pagingFields } from '../../http/response/paging.ts'
import { JobQuery } from '../jobs/schema.ts'

const { q, term, category, arrangement } = JobQuery.properties

export const FeedQuery = Type.Object({ q, term, category, arrangement })
export const ListQuery = Type.Object({ ...FeedQuery.properties, page: pagingFields.page })

/** The query parameters of a page or a feed. */
export type PageQuery = Static<typeof ListQuery>

/** Writes a query in canonical form, with its `?`; empty if it has no values. The first page has no number. */
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
