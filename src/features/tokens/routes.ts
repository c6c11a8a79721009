import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { pagedList } from '../../http/response/list.ts'
import { PagingQuery } from '../../http/response/paging.ts'
import { created } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { createdResponse, itemResponse, listResponse, messageResponse } from '../../http/routeDescription.ts'
import { createToken, deleteToken, getToken, listTokens, requirePassword } from './actions.ts'
import { presentToken } from './present.ts'
import { CreatedToken, NewToken, Token } from './schema.ts'

const rules = {
  access: 'user',
  tag: 'Tokens',
  scope: null,
  requires: ({ caller }: { caller: Parameters<typeof requirePassword>[0] }) => requirePassword(caller),
} as const
const NOT_FOUND = "The token does not exist, or is somebody else's."
const errors = { forbidden: "A token can't manage tokens." }

export const tokenRoutes = (board: Board) =>
  new Elysia({ name: 'tokens' })
    .get(
      '/tokens.json',
      ...route(
        {
          ...rules,
          id: 'listTokens',
          summary: 'List your tokens',
          query: PagingQuery,
          responses: { 200: listResponse(Token, 'The tokens that have not expired, oldest first.') },
          errors,
        },
        context => pagedList(context, board.links, listTokens(board, context.caller), presentToken),
      ),
    )

    .get(
      '/tokens/:id',
      ...route(
        {
          ...rules,
          id: 'getToken',
          summary: 'Read a token',
          description: 'Administrators can read those of others, too. The token itself is not shown again.',
          responses: { 200: itemResponse(Token, 'The token.') },
          errors: { ...errors, notFound: NOT_FOUND },
        },
        ({ caller, params }) => presentToken(getToken(board, caller, params.id)),
      ),
    )

    .post(
      '/tokens.json',
      ...route(
        {
          ...rules,
          id: 'createToken',
          summary: 'Create a token',
          description:
            'The token identifies your account in `Authorization: Bearer …`, and may do what its scopes allow. It is shown only in this response.',
          body: NewToken,
          responses: { 201: createdResponse(CreatedToken, 'The token.') },
          errors: { ...errors, conflict: 'The account has too many tokens.' },
        },
        async ({ caller, input }) => {
          const token = await createToken(board, caller, input)
          return created(board.links.to(`/tokens/${token.id}.json`), token)
        },
      ),
    )

    .delete(
      '/tokens/:id',
      ...route(
        {
          ...rules,
          id: 'deleteToken',
          summary: 'Delete a token',
          description: 'It ends at once. Administrators can delete the tokens of others, too.',
          responses: {
            200: messageResponse('The token "Nightly import" was deleted.', 'The token was deleted.'),
          },
          errors: { ...errors, notFound: NOT_FOUND },
        },
        async ({ caller, params }) => {
          const { name } = await deleteToken(board, caller, params.id)
          return { message: `The token "${name}" was deleted.` }
        },
      ),
    )
