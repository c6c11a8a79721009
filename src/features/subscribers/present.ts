import { timestamp } from '../../base/clock.ts'
import type { SubscriberRow } from '../../store/rows.ts'
import type { Subscriber } from './schema.ts'

/** Returns a subscriber as administrators see them. */
export const presentSubscriber = ({
  id,
  email,
  confirmed,
  createdAt,
  updatedAt,
}: SubscriberRow): Subscriber => ({
  id,
  email,
  email_confirmed: confirmed,
  created_at: timestamp(createdAt),
  updated_at: timestamp(updatedAt),
})
