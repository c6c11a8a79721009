import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { POSTS_PER_MINUTE } from '../../http/request/rateLimit.ts'
import { withChangeSeq } from '../../http/response/changeSeq.ts'
import { emailList, EmailQuery } from '../../http/response/emailList.ts'
import { accepted } from '../../http/response/reply.ts'
import { hiddenRoute, route } from '../../http/route.ts'
import {
  itemResponse,
  listResponse,
  messagePageResponse,
  messageResponse,
} from '../../http/routeDescription.ts'
import { getOrThrow } from '../../store/lookup.ts'
import type { Validation } from '../../validation/validation.ts'
import { deleteSubscriber, subscribe, updateSubscriber } from './actions.ts'
import { subscriberLinkRoutes } from './linkRoutes.ts'
import { presentSubscriber } from './present.ts'
import { NewSubscriber, Subscriber, SubscriberFields } from './schema.ts'

const CHECK_INBOX = 'Check your inbox and click the link to start your alerts.'
const ADDED = 'The address gets job alerts.'
const NO_MAIL = 'Thanks. An administrator will confirm your address.'
const tag = 'Subscribers'

/** Subscribes an address, and says how it will be confirmed. */
async function acceptSubscription(
  board: Board,
  caller: Caller,
  input: Validation<Static<typeof NewSubscriber>>,
) {
  await subscribe(board, caller, input)
  if (input.value('email_confirmed') === true) return accepted(ADDED)
  return accepted(board.mail.outbox.isEnabled ? CHECK_INBOX : NO_MAIL)
}

/** The target of the form for subscribers, on a board that has pages. */
export const subscriptionForm = (board: Board) =>
  new Elysia({ name: 'subscription form' }).post(
    '/subscribe',
    ...hiddenRoute(
      { access: 'public', perNetwork: POSTS_PER_MINUTE, body: NewSubscriber },
      ({ caller, input }) => acceptSubscription(board, caller, input),
    ),
  )

export const subscriberRoutes = (board: Board) =>
  new Elysia({ name: 'subscribers' })
    .use(subscriberLinkRoutes(board))

    .get(
      '/subscribers.json',
      ...route(
        {
          id: 'listSubscribers',
          access: 'admin',
          scope: 'subscribers',
          tag,
          summary: 'List the subscribers',
          query: EmailQuery,
          responses: {
            200: listResponse(Subscriber, 'The subscribers, in the order of their creation.', [
              'X-Change-Seq',
            ]),
          },
        },
        context =>
          withChangeSeq(
            board.journalTimer.watch.appliedSeq,
            emailList(context, board.links, board.store.read.subscribers.all(), presentSubscriber),
          ),
      ),
    )

    .post(
      '/subscribers.json',
      ...route(
        {
          id: 'subscribe',
          access: 'public',
          perNetwork: POSTS_PER_MINUTE,
          tag,
          summary: 'Subscribe to job alerts',
          description:
            'The address gets a confirmation link by e-mail. On a board that sends no e-mail, an administrator confirms it. Unconfirmed addresses are deleted after 30 days. The response is the same whether the address was known or not.',
          body: NewSubscriber,
          responses: {
            202: messagePageResponse(
              CHECK_INBOX,
              'The address is stored. The message says how it will be confirmed.',
            ),
          },
          errors: { forbidden: 'Only administrators may confirm an address.' },
        },
        ({ caller, input }) => acceptSubscription(board, caller, input),
      ),
    )

    .get(
      '/subscribers/:id',
      ...route(
        {
          id: 'getSubscriber',
          access: 'admin',
          scope: 'subscribers',
          tag,
          summary: 'Read a subscriber',
          responses: { 200: itemResponse(Subscriber, 'The subscriber.') },
        },
        ({ params }) => presentSubscriber(getOrThrow(board.store.read.subscribers, params.id, 'subscriber')),
      ),
    )

    .put(
      '/subscribers/:id',
      ...route(
        {
          id: 'updateSubscriber',
          access: 'admin',
          scope: 'subscribers',
          tag,
          summary: 'Update a subscriber',
          description: 'A new address gets a confirmation link, unless `email_confirmed` is true.',
          body: SubscriberFields,
          isPatch: true,
          requires: ({ params }) => getOrThrow(board.store.read.subscribers, params.id, 'subscriber'),
          responses: { 200: itemResponse(Subscriber, 'The updated subscriber.') },
        },
        async ({ caller, params, input }) =>
          presentSubscriber(await updateSubscriber(board, caller, params.id, input)),
      ),
    )

    .delete(
      '/subscribers/:id',
      ...route(
        {
          id: 'deleteSubscriber',
          access: 'admin',
          scope: 'subscribers',
          tag,
          summary: 'Delete a subscriber',
          responses: {
            200: messageResponse(
              'The subscriber joao@example.org was deleted.',
              'The subscriber was deleted.',
            ),
          },
        },
        async ({ caller, params }) => {
          const { email } = await deleteSubscriber(board, caller, params.id)
          return { message: `The subscriber ${email} was deleted.` }
        },
      ),
    )
