import type { Static, TObject } from '@sinclair/typebox'
import { validate, type Validation } from '../../validation/validation.ts'
import type { RequestContext } from '../request/context.ts'
import type { Links } from './links.ts'
import { pageOf, PagingQuery, sliceOf } from './paging.ts'
import { listHeaders, Reply } from './reply.ts'

/** Validates a query by its schema. Blank values count as not sent. */
export const validateQuery = <S extends TObject>(
  { query }: Pick<RequestContext, 'query'>,
  schema: S,
): Validation<Static<S>> => validate(schema, { values: query, isForm: true })

/** Replies with a list of rows, or with the page of it that the query requests. */
export function pagedList<R, T>(
  context: RequestContext,
  links: Links,
  rows: readonly R[],
  present: (row: R) => T,
): Reply<T[], 200> {
  const page = pageOf(validateQuery(context, PagingQuery).valueOrThrow())
  const link = page && links.pages(context.path, context.query, page, rows.length)
  return new Reply<T[], 200>(sliceOf(rows, page).map(present), 200, listHeaders(rows.length, link))
}

type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * Formats validated values as a query in the order of their schema, with the `?`; empty if there are none. Equivalent
 * queries become equal, whatever their order and unknown parameters, so that the result can be a cache key.
 */
export function canonicalQuery({ properties }: TObject, values: QueryValues): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(properties))
    if (values[name] !== undefined) query.set(name, String(values[name]))
  return query.size === 0 ? '' : `?${query}`
}
