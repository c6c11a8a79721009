import { type Static, Type } from '@sinclair/typebox'
import {
  countSchema,
  idSchema,
  nullableTextSchema,
  nullableTimestampSchema,
  objectSchema,
  timestampSchema,
} from '../../http/openapi/responseSchemas.ts'
import { CHANGE_TYPES, type ChangeType } from '../../store/journal/journalRow.ts'
import { WEBHOOK_STATUSES, type WebhookStatus } from '../../store/webhookRows.ts'
import { nullable } from '../../validation/field.ts'
import { enumField, integerField } from '../../validation/fields.ts'
import { optionalListField } from '../../validation/listField.ts'
import { lineField, urlField } from '../../validation/textFields.ts'

const DESCRIPTION_LENGTH = 200

const SECRET = 'The key of the signatures. It is shown only in this response.'

export const WebhookFields = Type.Object(
  {
    url: urlField({
      description:
        'Where messages are sent: an https URL on the internet. With `--webhook-private on`, it may be http, and lead to the same machine or network.',
      examples: ['https://receiver.example.com/hooks/jobs'],
    }),
    types: optionalListField<ChangeType>(CHANGE_TYPES, {
      description: 'The types of the changes that are sent. None means all.',
      examples: [['job.published', 'job.closed']],
    }),
    description: Type.Optional(
      nullable(
        lineField({
          maxLength: DESCRIPTION_LENGTH,
          default: null,
          description: 'What it is for.',
          examples: ['Newsletter'],
        }),
      ),
    ),
    status: enumField(['enabled', 'disabled'], {
      default: 'enabled',
      description:
        'A disabled webhook keeps its place. Once it is enabled, it gets the changes since then. Enabling one that waits for its next try sends at once.',
    }),
  },
  { $id: 'NewWebhook' },
)
export type WebhookFields = Static<typeof WebhookFields>

export const Replay = Type.Object(
  {
    after: integerField({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The seq of a change. What came later is sent next, again or for the first time; what came before it is not sent any more.',
      examples: [1042],
    }),
  },
  { $id: 'Replay' },
)
export type Replay = Static<typeof Replay>

const shownFields = {
  id: idSchema(2),
  url: Type.String({ format: 'uri', examples: ['https://receiver.example.com/hooks/jobs'] }),
  types: Type.Array(Type.String(), {
    description: 'The types of the changes that are sent. None means all.',
    examples: [['job.published', 'job.closed']],
  }),
  description: nullableTextSchema('What it is for.'),
  status: Type.Unsafe<WebhookStatus>({
    type: 'string',
    enum: [...WEBHOOK_STATUSES],
    description:
      '`failing` after the last of all tries has failed: administrators get an e-mail, and nothing is sent until it is enabled again.',
    examples: ['enabled'],
  }),
  position: Type.Integer({
    format: 'int64',
    minimum: 0,
    description:
      'The seq of the last change that was delivered, or that was passed over because of its type.',
    examples: [1042],
  }),
  skipped: countSchema('The number of changes that the board no longer kept when their turn came.', 0),
  attempts: countSchema('The number of failed tries to deliver the next change.', 0),
  next_attempt_at: nullableTimestampSchema(
    'When it is tried again. Null if no try has failed, or none is left.',
    null,
  ),
  error: nullableTextSchema('Why the last try failed.'),
  created_at: timestampSchema('2026-01-10T18:21:59+00:00'),
  updated_at: timestampSchema('2026-01-10T18:21:59+00:00'),
}

export const Webhook = objectSchema('Webhook', shownFields, {
  description: 'A URL that is told of changes.',
})
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = objectSchema('WebhookWithSecret', {
  ...shownFields,
  secret: Type.String({
    description: SECRET,
    examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDOBo6ioQHdZA='],
  }),
})
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const Delivery = objectSchema(
  'Delivery',
  {
    id: Type.String({
      description: 'The `webhook-id`, which is the same at every try.',
      examples: ['msg_t8nq1z_1042'],
    }),
    seq: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The seq of the change. Null for a test.',
      examples: [1042],
    }),
    type: Type.String({ examples: ['job.published'] }),
    at: timestampSchema('2026-01-10T18:22:00+00:00'),
    attempt: Type.Integer({ minimum: 1, description: 'The number of the try, from 1.', examples: [1] }),
    status: Type.Unsafe<'delivered' | 'failed'>({
      type: 'string',
      enum: ['delivered', 'failed'],
      examples: ['delivered'],
    }),
    response_status: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The status of the response. Null if there was none.',
      examples: [204],
    }),
    duration: countSchema('In milliseconds.', 84),
    error: nullableTextSchema('Why it failed.'),
  },
  { description: 'A try to deliver a change, or a test.' },
)
export type Delivery = Static<typeof Delivery>
