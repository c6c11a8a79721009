import { type Static, Type } from '@sinclair/typebox'
import { booleanField } from '../../validation/fields.ts'
import { MAX_EMAIL_LENGTH, searchField } from '../../validation/textFields.ts'
import type { RequestContext } from '../request/context.ts'
import type { Links } from './links.ts'
import { pagedList } from './list.ts'
import { pagingFields } from './paging.ts'
import type { Reply } from './reply.ts'

/** The query of a list of people. */
export const EmailQuery = Type.Object({
  q: Type.Optional(
    searchField({
      maxLength: MAX_EMAIL_LENGTH,
      description: 'A part of the address (case is ignored).',
      examples: ['harbour'],
    }),
  ),
  email_confirmed: Type.Optional(
    booleanField({ description: 'Only those whose address is confirmed, or is not.', examples: [true] }),
  ),
  ...pagingFields,
})

/** Replies with the rows that match the query, or with a page of them. */
export function emailList<R extends { readonly email: string; readonly confirmed: boolean }, T>(
  context: RequestContext & { readonly input: Static<typeof EmailQuery> },
  links: Links,
  rows: readonly R[],
  present: (row: R) => T,
): Reply<T[], 200> {
  const { q, email_confirmed: isConfirmed } = context.input
  const found = withEmail(rows, q)
  const matching =
    isConfirmed === undefined ? found : found.filter(({ confirmed }) => confirmed === isConfirmed)
  return pagedList(context, links, matching, present)
}

/** Returns the rows whose address contains a text; without a text, all. Addresses are stored in lower case. */
export function withEmail<R extends { readonly email: string }>(
  rows: readonly R[],
  text: string | undefined,
): readonly R[] {
  const part = text?.toLowerCase() ?? ''
  return part === '' ? rows : rows.filter(({ email }) => email.includes(part))
}
