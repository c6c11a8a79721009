import { type Clock, floorToSecond } from '../base/clock.ts'
import { errorStack } from '../base/error.ts'
import type { Log } from '../http/log.ts'
import type { DeliveryRow, WebhookRow } from '../store/webhookRows.ts'
import type { ChangeMessage } from './messages.ts'
import type { Answer, Receiver } from './receiver.ts'
import { signatureHeaders } from './secrets.ts'

const INTERNAL_ERROR: Answer = {
  status: null,
  error: 'an internal error, which is in the log of the board',
  retryAfter: null,
}

/** What is sent: a message about a change, or a test. */
export interface Message extends Pick<ChangeMessage, 'id' | 'body'> {
  readonly seq: number | null
  readonly type: string
}

/** A try to send a message. */
export interface Sent {
  readonly answer: Answer
  readonly delivery: DeliveryRow
}

/** Signs messages, sends them, and says how that went. */
export class Sender {
  /** The number of tries so far. */
  readonly counts = { delivered: 0, failed: 0 }

  constructor(
    private readonly receiver: Receiver,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Sends a message once. Returns undefined if `stop` is aborted. */
  async send(
    webhook: WebhookRow,
    message: Message,
    attempt: number,
    stop: AbortSignal,
  ): Promise<Sent | undefined> {
    const { id: messageId, seq, type } = message
    const start = performance.now()
    const answer = await this.answerTo(webhook, message, stop)
    if (!answer) return undefined
    const { status: responseStatus, error = null } = answer
    const at = floorToSecond(this.clock())
    const duration = Math.round(performance.now() - start)
    const delivery = { messageId, seq, type, at, attempt, responseStatus, duration, error }
    this.counts[error === null ? 'delivered' : 'failed']++
    if (error !== null) {
      const details = { webhook: webhook.id, seq: seq ?? undefined, attempt, reason: error }
      this.log.warn('a webhook could not be delivered', details)
    }
    return { answer, delivery }
  }

  private async answerTo(
    webhook: WebhookRow,
    message: Message,
    stop: AbortSignal,
  ): Promise<Answer | undefined> {
    try {
      const headers = signatureHeaders(webhook, message, this.clock())
      return await this.receiver.send(webhook.url, headers, message.body, stop)
    } catch (error) {
      if (stop.aborted) return undefined
      this.log.error('a message could not be created', { webhook: webhook.id, cause: errorStack(error) })
      return INTERNAL_ERROR
    }
  }
}
