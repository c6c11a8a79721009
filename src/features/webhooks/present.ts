import { timestamp, timestampOrNull } from '../../base/clock.ts'
import type { DeliveryRow, WebhookRow } from '../../store/webhookRows.ts'
import type { Delivery, Webhook } from './schema.ts'

/** Returns a webhook as administrators see it, without its secrets. */
export const presentWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  types: [...row.types],
  description: row.description,
  status: row.status,
  position: row.position,
  skipped: row.skipped,
  attempts: row.attempts,
  next_attempt_at: timestampOrNull(row.nextAttemptAt),
  error: row.lastError,
  created_at: timestamp(row.createdAt),
  updated_at: timestamp(row.updatedAt),
})

/** Returns a try to deliver something. */
export const presentDelivery = (row: DeliveryRow): Delivery => ({
  id: row.messageId,
  seq: row.seq,
  type: row.type,
  at: timestamp(row.at),
  attempt: row.attempt,
  status: row.error === null ? 'delivered' : 'failed',
  response_status: row.responseStatus,
  duration: row.duration,
  error: row.error,
})
