import { type Static, Type } from '@sinclair/typebox'
import { integerField } from '../../validation/fields.ts'

export const PER_PAGE = 25
const MAX_PER_PAGE = 100

/** The query parameters that request a page of a list. */
export const pagingFields = {
  page: Type.Optional(
    integerField({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The number of the page, from 1.',
    }),
  ),
  per_page: Type.Optional(
    integerField({
      minimum: 1,
      maximum: MAX_PER_PAGE,
      description: `The number of items on a page, by default ${PER_PAGE}.`,
    }),
  ),
}

export const PagingQuery = Type.Object(pagingFields)

export interface Page {
  readonly page: number
  readonly perPage: number
}

/** Returns the page that a query requests; undefined for the whole list. */
export function pageOf({ page, per_page: perPage }: Static<typeof PagingQuery>): Page | undefined {
  if (page === undefined && perPage === undefined) return undefined
  return { page: page ?? 1, perPage: perPage ?? PER_PAGE }
}

export const sliceOf = <T>(list: readonly T[], page: Page | undefined): readonly T[] =>
  page ? list.slice((page.page - 1) * page.perPage, page.page * page.perPage) : list
