import type { Static, TObject } from '@sinclair/typebox'
import { check, type Draft } from '../base/check.ts'
import type { Exchange } from './exchange.ts'
import type { Links } from './links.ts'
import { cut, pageOf, PageQuery } from './paging.ts'
import { listed, type Reply } from './reply.ts'

/** The values of a query that a list is asked by, as far as they are right. */
export const draftListQuery = <S extends TObject>(
  { query }: Pick<Exchange, 'query'>,
  schema: S,
): Draft<Static<S>> => check(schema, { values: query, form: true })

/** Answers a list of rows, whole or the page that was asked for. */
export function listPage<R, T>(
  exchange: Exchange,
  links: Links,
  rows: readonly R[],
  present: (row: R) => T,
): Reply<T[], 200> {
  const page = pageOf(draftListQuery(exchange, PageQuery).settle())
  const link = page && links.pages(exchange.path, exchange.query, page, rows.length)
  return listed(cut(rows, page).map(present), rows.length, link)
}
