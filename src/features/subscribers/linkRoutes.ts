import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { TokenQuery } from '../../http/openapi/responseSchemas.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { confirmation } from '../../http/response/confirmation.ts'
import { hiddenRoute, route } from '../../http/route.ts'
import { messagePageResponse } from '../../http/routeDescription.ts'
import { confirmSubscriber, subscriberOfToken, unsubscribe } from './actions.ts'

const rules = { access: 'public', tag: 'Subscribers', query: TokenQuery } as const
const errors = { notFound: 'The token is invalid, expired or used.' }
const CHANGES_NOTHING = 'Changes nothing. A browser gets a page with a button that sends the POST.'

/** Creates the routes of the links in mails. Only a POST changes anything, because mail scanners follow links. */
export const subscriberLinkRoutes = (board: Board) => {
  const links = handlers(board)
  return new Elysia({ name: 'subscriber links' })
    .get(
      '/subscribers/confirm.json',
      ...route(
        {
          ...rules,
          id: 'askSubscriberConfirmation',
          summary: 'See what a confirmation link does',
          description: CHANGES_NOTHING,
          responses: {
            200: messagePageResponse(
              'Start getting new jobs by e-mail? To choose "Yes, send me new jobs", send a POST to this address.',
              'What a POST would do.',
            ),
          },
          errors,
        },
        links.askConfirmation,
      ),
    )

    .post(
      '/subscribers/confirm.json',
      ...route(
        {
          ...rules,
          id: 'confirmSubscriber',
          summary: 'Confirm a subscription',
          description: 'With the token from the e-mail. Doing it again gives the same response.',
          responses: {
            200: messagePageResponse(confirmedMessage('joao@example.org'), 'The subscription is confirmed.'),
          },
          errors,
        },
        links.confirm,
      ),
    )

    .get(
      '/subscribers/unsubscribe.json',
      ...route(
        {
          ...rules,
          id: 'askUnsubscription',
          summary: 'See what an unsubscribe link does',
          description: CHANGES_NOTHING,
          responses: {
            200: messagePageResponse(
              'Stop getting e-mail from this board? To choose "Unsubscribe", send a POST to this address.',
              'What a POST would do.',
            ),
          },
          errors,
        },
        links.askUnsubscription,
      ),
    )

    .post(
      '/subscribers/unsubscribe.json',
      ...route(
        {
          ...rules,
          id: 'unsubscribe',
          summary: 'Unsubscribe',
          description:
            'With the token that every e-mail has. The address is deleted. Mail programs send this POST too.',
          responses: {
            200: messagePageResponse(UNSUBSCRIBED, 'The address was deleted.'),
          },
          errors,
        },
        links.end,
      ),
    )
}

/** The pages of the same links, on a board that has pages. */
export const subscriberPages = (board: Board) => {
  const { askConfirmation, confirm, askUnsubscription, end } = handlers(board)
  return new Elysia({ name: 'subscriber pages' })
    .get('/subscribers/confirm', ...hiddenRoute(askConfirmation))
    .post('/subscribers/confirm', ...hiddenRoute(confirm))
    .get('/subscribers/unsubscribe', ...hiddenRoute(askUnsubscription))
    .post('/subscribers/unsubscribe', ...hiddenRoute(end))
}

const handlers = (board: Board) => ({
  askConfirmation: (context: RequestContext) =>
    confirmation(context, 'Job alerts', () => {
      subscriberOfToken(board, 'subscription', tokenOf(context))
      return { message: 'Start getting new jobs by e-mail?', button: 'Yes, send me new jobs' }
    }),
  confirm: (context: RequestContext) =>
    confirmation(context, 'Job alerts', async () => {
      const { email } = await confirmSubscriber(board, tokenOf(context))
      return { message: confirmedMessage(email) }
    }),
  askUnsubscription: (context: RequestContext) =>
    confirmation(context, 'Unsubscribe', () => {
      subscriberOfToken(board, 'unsubscription', tokenOf(context))
      return { message: 'Stop getting e-mail from this board?', button: 'Unsubscribe' }
    }),
  end: (context: RequestContext) =>
    confirmation(context, 'Unsubscribe', async () => {
      await unsubscribe(board, tokenOf(context))
      return { message: UNSUBSCRIBED }
    }),
})

const confirmedMessage = (email: string) => `Your alerts are on: new jobs will be sent to ${email}.`
const UNSUBSCRIBED = "You've been unsubscribed and your address was deleted."

const tokenOf = ({ query }: RequestContext) => query.get('token') ?? ''
