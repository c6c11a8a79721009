import { TokenQuery } from '../../http/openapi/responseSchemas.ts'
import {
  itemResponse,
  listResponse,
  messagePageResponse,
  messageResponse,
  operation,
} from '../../http/operation.ts'
import { PagingQuery } from '../../http/response/paging.ts'
import { NewSubscriber, Subscriber, SubscriberFields } from './schema.ts'

const STALE = { notFound: 'The token is wrong, or too old, or was used already.' }

export const subscriberOperations = {
  list: operation({
    id: 'listSubscribers',
    tag: 'Subscribers',
    summary: 'List the subscribers',
    query: PagingQuery,
    responses: { 200: listResponse(Subscriber, 'The subscribers, in the order in which they came.') },
  }),

  subscribe: operation({
    id: 'subscribe',
    tag: 'Subscribers',
    summary: 'Ask for job alerts',
    description:
      'The address gets a mail with a link that confirms it. The answer is the same whether it was known or not.',
    body: NewSubscriber,
    responses: {
      202: messagePageResponse(
        'Please look into your mail: the address gets job alerts once the link in it was used.',
        'Heard. A mail asks the address to confirm, if the board sends mail.',
      ),
    },
  }),

  read: operation({
    id: 'getSubscriber',
    tag: 'Subscribers',
    summary: 'Read a subscriber',
    responses: { 200: itemResponse(Subscriber, 'The subscriber.') },
  }),

  update: operation({
    id: 'updateSubscriber',
    tag: 'Subscribers',
    summary: 'Change a subscriber',
    description: 'Another address is asked to confirm, unless `email_confirmed` vouches for it.',
    body: SubscriberFields,
    isPatch: true,
    responses: { 200: itemResponse(Subscriber, 'The subscriber as it is now.') },
  }),

  remove: operation({
    id: 'deleteSubscriber',
    tag: 'Subscribers',
    summary: 'Erase a subscriber',
    responses: {
      200: messageResponse('The subscriber joao@example.org was erased.', 'The subscriber was erased.'),
    },
  }),

  askConfirmation: operation({
    id: 'askSubscriberConfirmation',
    tag: 'Subscribers',
    summary: 'See what a confirmation link is for',
    description: 'Changes nothing. A browser gets a page with a button, which sends the POST.',
    query: TokenQuery,
    responses: {
      200: messagePageResponse(
        'Do you want to get new jobs by mail? To say "Yes, mail me new jobs", send a POST to this address.',
        'What a POST would do.',
      ),
    },
    errors: STALE,
  }),

  confirm: operation({
    id: 'confirmSubscriber',
    tag: 'Subscribers',
    summary: 'Confirm that job alerts are wanted',
    description: 'With the token of the mail. Again: the same answer.',
    query: TokenQuery,
    responses: {
      200: messagePageResponse(
        'Thank you: joao@example.org gets mail when there are new jobs.',
        'It is confirmed.',
      ),
    },
    errors: STALE,
  }),

  askLeave: operation({
    id: 'askUnsubscription',
    tag: 'Subscribers',
    summary: 'See what an unsubscribe link is for',
    description: 'Changes nothing. A browser gets a page with a button, which sends the POST.',
    query: TokenQuery,
    responses: {
      200: messagePageResponse(
        'Do you want no more mail from this board? To say "No more mails", send a POST to this address.',
        'What a POST would do.',
      ),
    },
    errors: STALE,
  }),

  leave: operation({
    id: 'unsubscribe',
    tag: 'Subscribers',
    summary: 'End job alerts',
    description:
      'With the token that every mail holds. The address is forgotten. Mail programs send this POST too.',
    query: TokenQuery,
    responses: {
      200: messagePageResponse(
        'joao@example.org gets no more mail from this board, and is forgotten.',
        'It is done.',
      ),
    },
    errors: STALE,
  }),
}
