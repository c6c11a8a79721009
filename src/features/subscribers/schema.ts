import { Type } from '@sinclair/typebox'
import { flag } from '../../base/kinds.ts'
import { accountAddress } from '../../base/textkinds.ts'

const email = accountAddress({ description: 'Kept and compared in lower case.' })

export const NewSubscriber = Type.Object({ email })

export const SubscriberFields = Type.Object({
  email,
  email_confirmed: flag({ description: 'Whether they said that they want mail.' }),
})
