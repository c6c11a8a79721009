import { type Static, Type } from '@sinclair/typebox'
import { shown } from '../../base/kind.ts'
import { flag } from '../../base/kinds.ts'
import { accountAddress } from '../../base/textkinds.ts'
import { shownId, shownMoment, shownObject } from '../../http/shown.ts'

const email = accountAddress({
  description: 'Kept and compared in lower case.',
  examples: ['joao@example.org'],
})

export const NewSubscriber = Type.Object({ email }, { $id: 'NewSubscriber' })

export const SubscriberFields = Type.Object(
  {
    email,
    email_confirmed: Type.Optional(
      flag({
        description: 'Whether they said that they want mail.',
        examples: [true],
      }),
    ),
  },
  { $id: 'SubscriberPatch' },
)

export const Subscriber = shownObject('Subscriber', {
  id: shownId(5),
  email: shown(email),
  email_confirmed: shown(SubscriberFields.properties.email_confirmed),
  created_at: shownMoment('2026-01-10T18:21:59+00:00'),
  updated_at: shownMoment('2026-01-11T07:30:00+00:00'),
})

export type Subscriber = Static<typeof Subscriber>
