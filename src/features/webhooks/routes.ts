import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { pagedList } from '../../http/response/list.ts'
import { PagingQuery } from '../../http/response/paging.ts'
import { created } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { createdResponse, itemResponse, listResponse, messageResponse } from '../../http/routeDescription.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  replay,
  rotateSecret,
  updateWebhook,
} from './actions.ts'
import { presentDelivery, presentWebhook } from './present.ts'
import { Delivery, Replay, Webhook, WebhookFields, WebhookWithSecret } from './schema.ts'

const rules = { access: 'admin', tag: 'Webhooks' } as const
const DELETED = 'The webhook was deleted.'

const MESSAGES = [
  'Each change becomes a POST with the JSON `{type, timestamp, data}`, in which `data` is the change as in `/changes.json`, with the record as it is when it is sent, or null if it was deleted. Bodies are smaller than 20 kB: the longest texts of a larger record end in `…`, and `data.shortened` names them. The record is complete at `data.url`.',
  'Changes are sent in their order, each at least once: the next one follows when the receiver has responded with a status 2xx, completely, within 15 seconds. Redirects are not followed. Otherwise it is tried again after 5 seconds, 5 and 30 minutes, and 2, 5, 10, 14, 20 and 24 hours, or after the `Retry-After` of a 429 or 503. The status 410 disables the webhook. After the last try it is `failing`, and administrators get an e-mail. Its position is kept: once it is enabled, it continues there, with what the board still keeps (`--journal-days`).',
  'To verify a message, use a library of Standard Webhooks, or compare `webhook-signature` yourself: it has one or more signatures, separated by spaces, and one must be `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, whose key is the decoded base64 after `whsec_`. Refuse timestamps (seconds since 1970) that are more than five minutes off. `webhook-id` is the same at every try: ignore ids that you know.',
].join('\n\n')

export const webhookRoutes = (board: Board) =>
  new Elysia({ name: 'webhooks' })
    .get(
      '/webhooks.json',
      ...route(
        {
          ...rules,
          id: 'listWebhooks',
          summary: 'List the webhooks',
          query: PagingQuery,
          responses: { 200: listResponse(Webhook, 'The webhooks, oldest first, without their secrets.') },
        },
        context => pagedList(context, board.links, board.store.read.webhooks.all(), presentWebhook),
      ),
    )

    .get(
      '/webhooks/:id',
      ...route(
        {
          ...rules,
          id: 'getWebhook',
          summary: 'Read a webhook',
          responses: { 200: itemResponse(Webhook, 'The webhook, without its secret.') },
        },
        ({ params }) => presentWebhook(getWebhook(board.store.read, params.id)),
      ),
    )

    .post(
      '/webhooks.json',
      ...route(
        {
          ...rules,
          id: 'createWebhook',
          summary: 'Create a webhook',
          description: MESSAGES,
          body: WebhookFields,
          responses: { 201: createdResponse(WebhookWithSecret, 'The webhook, with its secret.') },
          errors: { conflict: 'There are 20 webhooks, which is the maximum.' },
        },
        async ({ caller, input }) => {
          const row = await createWebhook(board, caller, input)
          return created(board.links.to(`/webhooks/${row.id}.json`), {
            ...presentWebhook(row),
            secret: row.secret,
          })
        },
      ),
    )

    .put(
      '/webhooks/:id',
      ...route(
        {
          ...rules,
          id: 'updateWebhook',
          summary: 'Change, disable or enable a webhook',
          description: 'Fields that are not sent keep their values.',
          body: WebhookFields,
          isPatch: true,
          requires: ({ params }) => getWebhook(board.store.read, params.id),
          responses: { 200: itemResponse(Webhook, 'The webhook.') },
        },
        async ({ caller, params, input }) =>
          presentWebhook(await updateWebhook(board, caller, params.id, input)),
      ),
    )

    .delete(
      '/webhooks/:id',
      ...route(
        {
          ...rules,
          id: 'deleteWebhook',
          summary: 'Delete a webhook',
          responses: { 200: messageResponse(DELETED, 'Nothing more is sent.') },
        },
        async ({ caller, params }) => {
          await deleteWebhook(board, caller, params.id)
          return { message: DELETED }
        },
      ),
    )

    .put(
      '/webhooks/:id/rotate.json',
      ...route(
        {
          ...rules,
          id: 'rotateWebhookSecret',
          summary: 'Replace the secret of a webhook',
          description: 'For a day, the old secret signs too, so that the receiver can change it meanwhile.',
          responses: { 200: itemResponse(WebhookWithSecret, 'The webhook, with its new secret.') },
          errors: { conflict: 'The secret was replaced too often within a day.' },
        },
        async ({ caller, params }) => {
          const row = await rotateSecret(board, caller, params.id)
          return { ...presentWebhook(row), secret: row.secret }
        },
      ),
    )

    .post(
      '/webhooks/:id/test.json',
      ...route(
        {
          ...rules,
          id: 'testWebhook',
          summary: 'Send a test to a webhook',
          description:
            'A message of type `webhook.test` is sent once, also to a disabled webhook. The response says how that went.',
          responses: { 200: itemResponse(Delivery, 'How it went, also if it failed.') },
          errors: { conflict: 'A test of this webhook is already running.' },
        },
        async ({ params }) => presentDelivery(await board.webhooks.sendTest(params.id)),
      ),
    )

    .get(
      '/webhooks/:id/deliveries.json',
      ...route(
        {
          ...rules,
          id: 'listDeliveries',
          summary: 'List the last deliveries of a webhook',
          query: PagingQuery,
          responses: { 200: listResponse(Delivery, 'The last 50 tries, newest first.') },
        },
        context =>
          pagedList(
            context,
            board.links,
            listDeliveries(board.store.read, context.params.id),
            presentDelivery,
          ),
      ),
    )

    .post(
      '/webhooks/:id/replay.json',
      ...route(
        {
          ...rules,
          id: 'replayWebhook',
          summary: 'Send changes again',
          description: 'Sets the position of a webhook. Messages that were sent before have the same ids.',
          body: Replay,
          requires: ({ params }) => getWebhook(board.store.read, params.id),
          responses: { 200: itemResponse(Webhook, 'The webhook, with its new position.') },
          errors: { gone: 'The changes after this seq are no longer kept. `earliest` is the first that is.' },
        },
        async ({ caller, params, input }) => presentWebhook(await replay(board, caller, params.id, input)),
      ),
    )
