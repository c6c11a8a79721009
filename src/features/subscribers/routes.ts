import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { parseJsonId } from '../../http/paths.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { readInput } from '../../http/request/input.ts'
import { POSTS_PER_MINUTE } from '../../http/request/rateLimit.ts'
import { confirmation } from '../../http/response/confirmation.ts'
import { pagedList } from '../../http/response/list.ts'
import { accepted } from '../../http/response/reply.ts'
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
      ({ exchange: context }) =>
        pagedList(context, board.links, board.store.read.subscribers.all(), presentSubscriber),
      { needs: 'admin', ...subscriberOperations.list },
    )

    .post(
      '/subscribers.json',
      async ({ exchange: context }) => {
        await subscribe(board, await readInput(context, subscriberOperations.subscribe))
        return accepted({ message: board.mail.outbox.isEnabled ? ASKED : NOTED })
      },
      { needs: 'nobody', perMinute: POSTS_PER_MINUTE, ...subscriberOperations.subscribe },
    )

    .get(
      '/subscribers/:id',
      ({ params }) => presentSubscriber(getSubscriber(board.store.read, parseJsonId(params.id))),
      { needs: 'admin', ...subscriberOperations.read },
    )

    .put(
      '/subscribers/:id',
      async ({ exchange: context, params, caller }) => {
        const { id } = getSubscriber(board.store.read, parseJsonId(params.id))
        return presentSubscriber(
          await updateSubscriber(board, caller, id, await readInput(context, subscriberOperations.update)),
        )
      },
      { needs: 'admin', ...subscriberOperations.update },
    )

    .delete(
      '/subscribers/:id',
      async ({ params, caller }) => {
        const { email } = await removeSubscriber(board, caller, parseJsonId(params.id))
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
      ({ exchange: context }) =>
        confirmation(context, 'Job alerts', () => {
          subscriberOfToken(board, 'subscription', tokenOf(context))
          return { message: 'Do you want to get new jobs by mail?', button: 'Yes, mail me new jobs' }
        }),
      { needs: 'nobody', ...subscriberOperations.askConfirmation },
    )

    .post(
      '/subscribers/confirm.json',
      ({ exchange: context }) =>
        confirmation(context, 'Job alerts', async () => {
          const { email } = await confirmSubscriber(board, tokenOf(context))
          return { message: `Thank you: ${email} gets mail when there are new jobs.` }
        }),
      { needs: 'nobody', ...subscriberOperations.confirm },
    )

    .get(
      '/subscribers/unsubscribe.json',
      ({ exchange: context }) =>
        confirmation(context, 'No more job alerts', () => {
          subscriberOfToken(board, 'unsubscription', tokenOf(context))
          return { message: 'Do you want no more mail from this board?', button: 'No more mails' }
        }),
      { needs: 'nobody', ...subscriberOperations.askLeave },
    )

    .post(
      '/subscribers/unsubscribe.json',
      ({ exchange: context }) =>
        confirmation(context, 'No more job alerts', async () => {
          const { email } = await unsubscribe(board, tokenOf(context))
          return { message: `${email} gets no more mail from this board, and is forgotten.` }
        }),
      { needs: 'nobody', ...subscriberOperations.leave },
    )

const tokenOf = ({ query }: RequestContext) => query.get('token') ?? ''
