import { type Static, Type } from '@sinclair/typebox'
import { idSchema, objectSchema, timestampSchema } from '../../http/openapi/responseSchemas.ts'
import { responseField } from '../../validation/field.ts'
import { booleanField } from '../../validation/fields.ts'
import { accountEmailField } from '../../validation/textFields.ts'

const email = accountEmailField({
  description: 'Stored and compared in lower case.',
  examples: ['joao@example.org'],
})

export const NewSubscriber = Type.Object(
  {
    email,
    email_confirmed: Type.Optional(
      booleanField({
        description: 'For administrators: true adds the address without a confirmation link.',
        examples: [false],
      }),
    ),
  },
  { $id: 'NewSubscriber' },
)

export const SubscriberFields = Type.Object(
  {
    email,
    email_confirmed: Type.Optional(
      booleanField({
        description: 'Whether the address has been confirmed. Only confirmed subscribers get mail.',
        examples: [true],
      }),
    ),
  },
  { $id: 'SubscriberPatch' },
)

export const Subscriber = objectSchema('Subscriber', {
  id: idSchema(5),
  email: responseField(email),
  email_confirmed: responseField(SubscriberFields.properties.email_confirmed),
  created_at: timestampSchema('2026-01-10T18:21:59+00:00'),
  updated_at: timestampSchema('2026-01-11T07:30:00+00:00'),
})

export type Subscriber = Static<typeof Subscriber>
