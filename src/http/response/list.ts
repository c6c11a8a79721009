import type { Static, TObject } from '@sinclair/typebox'
import { validate, type Validation } from '../../validation/validation.ts'
import type { RequestContext } from '../request/context.ts'
import type { Links } from './links.ts'
import { pageOf, PagingQuery, sliceOf } from './paging.ts'
import { listReply, type Reply } from './reply.ts'

/** The values of a query that a list is asked by, as far as they are right. */
export const validateQuery = <S extends TObject>(
  { query }: Pick<RequestContext, 'query'>,
  schema: S,
): Validation<Static<S>> => validate(schema, { values: query, form: true })

/** Answers a list of rows, whole or the page that was asked for. */
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
