import type { Static, TObject } from '@sinclair/typebox'
import { validate, type Validation } from '../../validation/validation.ts'
import type { RequestContext } from '../request/context.ts'
import type { Links } from './links.ts'
import { pageOf, PagingQuery, sliceOf } from './paging.ts'
import { listReply, type Reply } from './reply.ts'

/** Validates a query by its schema, in which blank values count as not sent. */
export const validateQuery = <S extends TObject>(
  { query }: Pick<RequestContext, 'query'>,
  schema: S,
): Validation<Static<S>> => validate(schema, { values: query, form: true })

/** Replies with a list of rows, or the page of it that the query asks for. */
export function pagedList<R, T>(
  context: RequestContext,
  links: Links,
  rows: readonly R[],
  present: (row: R) => T,
): Reply<T[], 200> {
  const page = pageOf(validateQuery(context, PagingQuery).valueOrThrow())
  const link = page && links.pages(context.path, context.query, page, rows.length)
  return listReply(sliceOf(rows, page).map(present), rows.length, link)
}

type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * Writes checked values as a query, in the order of their schema and with its `?`; empty if there are none. Queries that
 * ask for the same become the same, whatever else was sent and in whichever order, so that it can name a cached reply.
 */
export function canonicalQuery({ properties }: TObject, values: QueryValues): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(properties))
    if (values[name] !== undefined) query.set(name, String(values[name]))
  return query.size === 0 ? '' : `?${query}`
}
