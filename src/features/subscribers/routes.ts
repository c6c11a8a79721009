import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import type { Exchange } from '../../http/exchange.ts'
import { idOfJson } from '../../http/ids.ts'
import { readInput } from '../../http/input.ts'
import { POSTS_PER_MINUTE } from '../../http/limit.ts'
import { listPage } from '../../http/list.ts'
import { answerLink } from '../../http/page.ts'
import { accepted } from '../../http/reply.ts'
import {
  confirmSubscriber,
  getSubscriber,
  removeSubscriber,
  subscribe,
  subscriberOfToken,
  unsubscribe,
  updateSubscriber,
} from './actions.ts'
import { subscriberOperations } from './operations.ts'
import { presentSubscriber } from './present.ts'

export const subscriberRoutes = (board: Board) =>
  new Elysia({ name: 'subscribers' })
    .use(guard)
    .use(linkRoutes(board))

    .get(
      '/subscribers.json',
      ({ exchange }) =>
        listPage(exchange, board.links, board.store.read.subscribers.all(), presentSubscriber),
      { needs: 'admin', ...subscriberOperations.list },
    )

    .post(
      '/subscribers.json',
      async ({ exchange }) => {
        await subscribe(board, await readInput(exchange, subscriberOperations.subscribe))
        return accepted({ message: board.mail.outbox.isOpen ? ASKED : NOTED })
      },
      { needs: 'nobody', perMinute: POSTS_PER_MINUTE, ...subscriberOperations.subscribe },
    )

    .get(
      '/subscribers/:id',
      ({ params }) => presentSubscriber(getSubscriber(board.store.read, idOfJson(params.id))),
      { needs: 'admin', ...subscriberOperations.read },
    )

    .put(
      '/subscribers/:id',
      async ({ exchange, params, caller }) => {
        const { id } = getSubscriber(board.store.read, idOfJson(params.id))
        return presentSubscriber(
          await updateSubscriber(board, caller, id, await readInput(exchange, subscriberOperations.update)),
        )
      },
      { needs: 'admin', ...subscriberOperations.update },
    )

    .delete(
      '/subscribers/:id',
      async ({ params, caller }) => {
        const { email } = await removeSubscriber(board, caller, idOfJson(params.id))
        return { message: `The subscriber ${email} was erased.` }
      },
      { needs: 'admin', ...subscriberOperations.remove },
    )

const ASKED = 'Please look into your mail: the address gets job alerts once the link in it was used.'
const NOTED = 'The address is noted. An administrator confirms it, since this board sends no mail.'

/** The links in mails: to follow one changes nothing, since mail scanners do that too; the POST does it. */
const linkRoutes = (board: Board) =>
  new Elysia({ name: 'subscriber links' })
    .use(guard)

    .get(
      '/subscribers/confirm.json',
      ({ exchange }) =>
        answerLink(exchange, 'Job alerts', () => {
          subscriberOfToken(board, 'subscription', tokenOf(exchange))
          return { message: 'Do you want to get new jobs by mail?', button: 'Yes, mail me new jobs' }
        }),
      { needs: 'nobody', ...subscriberOperations.askConfirmation },
    )

    .post(
      '/subscribers/confirm.json',
      ({ exchange }) =>
        answerLink(exchange, 'Job alerts', async () => {
          const { email } = await confirmSubscriber(board, tokenOf(exchange))
          return { message: `Thank you: ${email} gets mail when there are new jobs.` }
        }),
      { needs: 'nobody', ...subscriberOperations.confirm },
    )

    .get(
      '/subscribers/unsubscribe.json',
      ({ exchange }) =>
        answerLink(exchange, 'No more job alerts', () => {
          subscriberOfToken(board, 'unsubscription', tokenOf(exchange))
          return { message: 'Do you want no more mail from this board?', button: 'No more mails' }
        }),
      { needs: 'nobody', ...subscriberOperations.askLeave },
    )

    .post(
      '/subscribers/unsubscribe.json',
      ({ exchange }) =>
        answerLink(exchange, 'No more job alerts', async () => {
          const { email } = await unsubscribe(board, tokenOf(exchange))
          return { message: `${email} gets no more mail from this board, and is forgotten.` }
        }),
      { needs: 'nobody', ...subscriberOperations.leave },
    )

const tokenOf = ({ query }: Exchange) => query.get('token') ?? ''
