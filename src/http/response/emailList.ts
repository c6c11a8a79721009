import { Type } from '@sinclair/typebox'
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
  ...pagingFields,
})

/** Replies with the rows whose address contains a text, or with a page of them. Without a text, it lists all rows. */
export function emailList<R extends { readonly email: string }, T>(
  context: RequestContext & { readonly input: { readonly q?: string } },
  links: Links,
  rows: readonly R[],
  present: (row: R) => T,
): Reply<T[], 200> {
  return pagedList(context, links, withEmail(rows, context.input.q), present)
}

/** Returns the rows whose address contains a text; without a text, all. Addresses are stored in lower case. */
export function withEmail<R extends { readonly email: string }>(
  rows: readonly R[],
  text: string | undefined,
): readonly R[] {
  const part = text?.toLowerCase() ?? ''
  return part === '' ? rows : rows.filter(({ email }) => email.includes(part))
}
