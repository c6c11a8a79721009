import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { POSTS_PER_MINUTE } from '../../http/request/rateLimit.ts'
import { confirmation } from '../../http/response/confirmation.ts'
import { accepted } from '../../http/response/reply.ts'
import { hiddenRoute, route, withoutSuffix } from '../../http/route.ts'
import { messageResponse } from '../../http/routeDescription.ts'
import { requestReset, requireResetToken, resetPassword } from './actions.ts'
import { NewPassword, ResetRequest } from './schema.ts'

const REQUESTED = "If the address has an account, we've sent a reset link. Check your inbox."
const NO_MAIL = 'This board sends no e-mail. Ask its administrator for a new password.'
const CHANGED = 'Your password has been changed.'

export const resetRoutes = (board: Board) =>
  new Elysia({ name: 'resets' })
    .post(
      '/password-resets.json',
      ...route(
        {
          id: 'requestPasswordReset',
          access: 'public',
          perNetwork: POSTS_PER_MINUTE,
          tag: 'Users',
          summary: 'Request a password reset',
          description:
            'The response is the same for every address. Only the e-mail shows whether there is an account.',
          body: ResetRequest,
          responses: {
            202: messageResponse(
              REQUESTED,
              'If the address has an account and the board sends e-mail, a link is sent.',
            ),
          },
        },
        async ({ input }) => {
          await requestReset(board, input)
          return accepted(board.mail.outbox.isEnabled ? REQUESTED : NO_MAIL)
        },
      ),
    )

    .put(
      '/password-resets/:token',
      ...route(
        {
          id: 'resetPassword',
          access: 'public',
          tag: 'Users',
          summary: 'Set a new password',
          description: 'With the token from the e-mail, which works once. This confirms the address too.',
          body: NewPassword,
          requires: ({ params }) => requireResetToken(board, params.token),
          responses: { 200: messageResponse(CHANGED, 'The password was changed.') },
          errors: { notFound: 'The token is invalid, expired or used.' },
        },
        async ({ params, input, clientAddress }) => {
          await resetPassword(board, params.token, input, clientAddress)
          return { message: CHANGED }
        },
      ),
    )

const TITLE = 'Choose a new password'
const FORM = {
  message: 'After that, sign in with your new password.',
  button: 'Change password',
  field: { label: 'New password', hint: 'At least 8 characters.' },
}

const NEW_PASSWORD = { access: 'public', body: NewPassword } as const

/** The page of the link in a reset mail, on a board that has pages. Browsers can't send the PUT of the API. */
export const resetPages = (board: Board) =>
  new Elysia({ name: 'reset pages' })
    .get(
      '/reset/:token',
      ...withoutSuffix(
        hiddenRoute(context =>
          confirmation(context, TITLE, () => {
            requireResetToken(board, context.params.token)
            return FORM
          }),
        ),
      ),
    )

    .post(
      '/reset/:token',
      ...withoutSuffix(
        hiddenRoute(
          { ...NEW_PASSWORD, requires: ({ params }) => requireResetToken(board, params.token) },
          context => {
            const { params, input, clientAddress } = context
            const change = async () => {
              await resetPassword(board, params.token, input, clientAddress)
              return { message: CHANGED, link: { path: '/sign-in', text: 'Sign in' } }
            }
            return confirmation(context, TITLE, change, FORM)
          },
        ),
      ),
    )
