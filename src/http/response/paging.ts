import { type Static, Type } from '@sinclair/typebox'
import { integerField } from '../../validation/fields.ts'

export const PER_PAGE = 25
const PER_PAGE_AT_MOST = 100

/** The query values by which every list is cut into pages. */
export const pagingFields = {
  page: Type.Optional(
    integerField({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Which page, from 1.' }),
  ),
  per_page: Type.Optional(
    integerField({
      minimum: 1,
      maximum: PER_PAGE_AT_MOST,
      description: `How many on a page; ${PER_PAGE} if only page is given.`,
    }),
  ),
}

export const PagingQuery = Type.Object(pagingFields)

export interface Page {
  readonly page: number
  readonly perPage: number
}

/** The page that a query asks for; undefined is the whole list. */
export function pageOf({ page, per_page: perPage }: Static<typeof PagingQuery>): Page | undefined {
  if (page === undefined && perPage === undefined) return undefined
  return { page: page ?? 1, perPage: perPage ?? PER_PAGE }
}

export const sliceOf = <T>(list: readonly T[], page: Page | undefined): readonly T[] =>
  page ? list.slice((page.page - 1) * page.perPage, page.page * page.perPage) : list
