import type { FilterName, presentFilters } from './facets.ts'
import { type PageQuery, queryText, without } from './query.ts'

/** The criteria of a search, by the names that readers see. */
export type Criteria = Readonly<Partial<Record<FilterName | 'q' | 'company', string>>>

/** Employment types that are adjectives, and so are written in lower case within a sentence. */
const ADJECTIVES =
  /^(full.?time|part.?time|contract|freelance|temporary|permanent|seasonal|internship|volunteer|remote|hybrid|on-site)$/i

/** Returns the criteria of a query. A category or employment type that doesn't exist is left out. */
export function criteriaOf(query: PageQuery, filters: ReturnType<typeof presentFilters>): Criteria {
  const chosen = filters.flatMap(({ name, options }) =>
    options.filter(({ selected }) => selected).map(option => [name, option.name]),
  )
  const { q, company } = query
  return {
    ...(q !== undefined && { q }),
    ...(Object.fromEntries(chosen) as Criteria), // the names are those of filters
    ...(company !== undefined && { company }),
  }
}

const inSentence = (name: string) => (ADJECTIVES.test(name) ? name.toLowerCase() : name)

/** Describes a search and its number of results: `2 full-time jobs in Education matching “teacher”`. */
export function describeSearch(criteria: Criteria, total: number): string {
  const { q, company, category, term, arrangement } = criteria
  const isUnfiltered = Object.keys(criteria).length === 0
  if (isUnfiltered && total === 0) return 'No open jobs right now'
  const kinds = [arrangement, term].flatMap(name => (name === undefined ? [] : [inSentence(name)]))
  return [
    total.toLocaleString('en'),
    ...(isUnfiltered ? ['open'] : kinds),
    total === 1 ? 'job' : 'jobs',
    ...(category === undefined ? [] : [`in ${category}`]),
    ...(company === undefined ? [] : [`at ${company}`]),
    ...(q === undefined ? [] : [`matching “${q}”`]),
  ].join(' ')
}

/** Returns the criteria, each with the path of the search without it. */
export const chipsOf = (criteria: Criteria, query: PageQuery) =>
  Object.entries(criteria).map(([name, text]) => ({
    text: name === 'q' ? `“${text}”` : text,
    // The keys of criteria are names of the query.
    path: `/${queryText(without(query, name as keyof Criteria))}`,
  }))
