import type { ListedRoute } from '../route.ts'
import type { WebhookDescription } from '../routeDescription.ts'
import { exampleOf, type Json, type Schemas } from './schemas.ts'

/** Returns the messages that the board sends to other programs, as routes describe them. */
export const webhookObjects = (schemas: Schemas, routes: readonly ListedRoute[]): Json =>
  Object.fromEntries(
    routes.flatMap(({ rules: { webhook } }) =>
      webhook ? [[webhook.name, { post: operationOf(schemas, webhook) }]] : [],
    ),
  )

function operationOf(schemas: Schemas, { name, summary, description, schema }: WebhookDescription): Json {
  return {
    operationId: name,
    tags: ['Webhooks'],
    summary,
    description,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.of(schema), example: exampleOf(schema) } },
    },
    responses: {
      '2XX': { description: 'The message was received.' },
      '4XX': { description: 'It is sent again later; 410 disables the webhook.' },
    },
  }
}

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const HEADERS = [
  header('webhook-id', 'The id of the message, which is the same at every try.', 'msg_t8nq1z_1042'),
  header('webhook-timestamp', 'When this try was sent, in seconds since 1970.', '1768069319'),
  header(
    'webhook-signature',
    'One or more signatures, separated by spaces. One of them must match.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
]
