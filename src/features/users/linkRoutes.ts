import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { TokenQuery } from '../../http/openapi/responseSchemas.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { confirmation } from '../../http/response/confirmation.ts'
import { hiddenRoute, route } from '../../http/route.ts'
import { messagePageResponse } from '../../http/routeDescription.ts'
import { confirmUser, userOfToken } from './actions.ts'

const tag = 'Users'
const STALE = { notFound: 'The token is invalid or has expired.' }
const CONFIRMED = 'Your address is confirmed. You can now post jobs.'

/** Creates the routes of the link in mails. Only a POST changes anything, because mail scanners follow links. */
export const userLinkRoutes = (board: Board) =>
  new Elysia({ name: 'user links' })
    .get(
      '/users/confirm.json',
      ...route(
        {
          id: 'askUserConfirmation',
          access: 'public',
          tag,
          summary: 'See what a confirmation link does',
          description: 'Changes nothing. A browser gets a page with a button that sends the POST.',
          query: TokenQuery,
          responses: {
            200: messagePageResponse(
              'Is ines@harbour.example.org your address? To choose "Yes, confirm it", send a POST to this address.',
              'What a POST would do.',
            ),
          },
          errors: STALE,
        },
        askConfirmation(board),
      ),
    )

    .post(
      '/users/confirm.json',
      ...route(
        {
          id: 'confirmUser',
          access: 'public',
          tag,
          summary: "Confirm an account's e-mail address",
          description: 'With the token from the e-mail. Doing it again gives the same response.',
          query: TokenQuery,
          responses: { 200: messagePageResponse(CONFIRMED, 'The address is confirmed.') },
          errors: STALE,
        },
        confirm(board),
      ),
    )

/** The page of the same link, on a board that has pages. */
export const userPages = (board: Board) =>
  new Elysia({ name: 'user pages' })
    .get('/users/confirm', ...hiddenRoute(askConfirmation(board)))
    .post('/users/confirm', ...hiddenRoute(confirm(board)))

const askConfirmation = (board: Board) => (context: RequestContext) =>
  confirmation(context, 'Your account', () => {
    const { email } = userOfToken(board, context.query.get('token') ?? '')
    return { message: `Is ${email} your address?`, button: 'Yes, confirm it' }
  })

const confirm = (board: Board) => (context: RequestContext) =>
  confirmation(context, 'Your account', async () => {
    await confirmUser(board, context.query.get('token') ?? '')
    return { message: CONFIRMED, link: { path: '/account', text: 'Go to your jobs' } }
  })
