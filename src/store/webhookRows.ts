import type { Row } from './rows.ts'

/** Whether changes are sent to a webhook: it is `failing` once the last of several tries has failed. */
export const WEBHOOK_STATUSES = ['enabled', 'disabled', 'failing'] as const
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number]

/** The address of another program that is told about changes, and how far it has been told. */
export interface WebhookRow extends Row {
  readonly url: string
  readonly description: string | null
  /** The types of the changes that are sent; empty for all. */
  readonly types: readonly string[]
  readonly status: WebhookStatus
  /** The key of the signatures, as `whsec_` and base64. Signing needs it, so it can't be stored as a hash. */
  readonly secret: string
  /** The secrets before it, each of which also signs until a time. */
  readonly oldSecrets: readonly { readonly secret: string; readonly until: number }[]
  readonly createdAt: number
  readonly updatedAt: number
  /** The seq of the last change that was delivered, or that isn't sent because of its type. */
  readonly position: number
  /** The number of changes that were no longer in the journal when their turn came. */
  readonly skipped: number
  /** The number of failed tries of the next change, and the time of its next one; null for at once. */
  readonly attempts: number
  readonly nextAttemptAt: number | null
  /** Why the last try failed; null if it didn't. */
  readonly lastError: string | null
  /** Increased when an administrator sets the position or the address. Progress from before is then no longer stored. */
  readonly epoch: number
}

/** A try to deliver something to a webhook. */
export interface DeliveryRow {
  /** The `webhook-id`, which is the same at every try. */
  readonly messageId: string
  /** The seq of the change; null for a test. */
  readonly seq: number | null
  readonly type: string
  readonly at: number
  /** The number of the try, from 1. */
  readonly attempt: number
  /** The status of the response; null if there was none. */
  readonly responseStatus: number | null
  /** In milliseconds. */
  readonly duration: number
  /** Why it failed; null if it was delivered. */
  readonly error: string | null
}

/** The last deliveries of a webhook, oldest first. The id is that of the webhook. */
export interface WebhookLogRow extends Row {
  readonly deliveries: readonly DeliveryRow[]
}
