import { type Static, Type } from '@sinclair/typebox'
import { pagingFields } from '../../http/response/paging.ts'
import { enumField } from '../../validation/fields.ts'
import { searchField } from '../../validation/textFields.ts'
import { JobQuery } from '../jobs/schema.ts'

const { q, term, category, arrangement } = JobQuery.properties

const MAX_COMPANY_LENGTH = 255

/** The exact name of a company, which postings link to. Case is ignored. */
const company = Type.Optional(
  searchField({
    maxLength: MAX_COMPANY_LENGTH,
    description: 'The name of a company, ignoring case.',
    examples: ['Harbour Hospice'],
  }),
)

export const FeedQuery = Type.Object({ q, term, category, arrangement, company })
export const ListQuery = Type.Object({ ...FeedQuery.properties, page: pagingFields.page })

/** The query parameters of a feed for aggregators, most of which accept only jobs that were posted to the board itself. */
export const AggregatorQuery = Type.Object({
  ...FeedQuery.properties,
  sources: enumField(['own', 'all'], {
    default: 'own',
    description:
      'Whether to include jobs from other systems: `own` leaves out those with a `source`, except jobs that were imported from an earlier site of the board.',
    examples: ['all'],
  }),
})

/** The query parameters of a page or a feed. */
export type PageQuery = Static<typeof ListQuery>

/** Writes a query in canonical form, with its `?`; empty if it has no values. The first page has no number. */
export function queryText(query: PageQuery): string {
  const parameters = new URLSearchParams()
  for (const name of ['q', 'category', 'term', 'arrangement', 'company', 'page'] as const) {
    const value = query[name]
    if (value !== undefined && !(name === 'page' && value === 1)) parameters.set(name, String(value))
  }
  const text = String(parameters)
  return text === '' ? '' : `?${text}`
}

/** Returns the query without one of its values, and on the first page. */
export function without(query: PageQuery, name: keyof PageQuery): PageQuery {
  const { [name]: _, page: __, ...rest } = query
  return rest
}

/** Returns the query without its page. */
export const withoutPage = (query: PageQuery): PageQuery => without(query, 'page')
