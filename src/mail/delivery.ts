import { type Clock, DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { errorMessage } from '../base/error.ts'
import { loggable } from '../base/text.ts'
import type { Log } from '../http/log.ts'
import type { MailRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Change } from '../store/tables.ts'
import { PostponedMail } from './linkLimits.ts'
import type { Message } from './message.ts'
import { MailQueue } from './queue.ts'

const MAX_CONCURRENT = 4
/** Doubles with each attempt, up to the maximum. */
const FIRST_RETRY_DELAY = MINUTE
const MAX_RETRY_DELAY = 6 * HOUR
const RETRY_PERIOD = 3 * DAY
/** The time that mails in progress get to finish when the board closes. A mail that is aborted could be sent twice. */
const CLOSE_TIMEOUT = 3 * SECOND

/**
 * Composes the message of a mail; undefined if it is out of date or has no recipient.
 * @throws PostponedMail if the mail has to wait
 */
type Compose = (mail: MailRow) => Promise<Message | undefined>

/** The numbers of mails that wait or failed for good, and of those sent and of failed attempts since the start. */
export interface MailCounts {
  readonly waiting: number
  readonly failed: number
  readonly sent: number
  readonly failedAttempts: number
}

/** Sends messages to the mail server. */
export interface MailTransport {
  /** Resolves once the server has accepted the message. Fails with a reason that may be logged and stored. */
  send(message: Message): Promise<void>
  /** Aborts the messages in progress. */
  close(): void
}

/**
 * Delivers the mails in the store, in the background. A mail's row is removed once the server has accepted the mail: after
 * a crash a mail may be sent twice, with the same Message-ID, but none is lost.
 */
export class MailDelivery {
  private readonly queue = new MailQueue()
  private readonly inProgress = new Map<number, Promise<void>>()
  /** The mails that were sent, but whose rows could not be removed yet. */
  private readonly delivered = new Set<number>()
  private isClosed = false
  private sentCount = 0
  private failedAttempts = 0

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly compose: Compose,
    private readonly transport: MailTransport,
  ) {
    for (const mail of store.read.mails.all()) this.enqueue(mail)
  }

  /** The ids of the mails that are not tried again. */
  get failed(): ReadonlySet<number> {
    return this.queue.failed
  }

  get counts(): MailCounts {
    const waiting = this.queue.waiting + this.inProgress.size
    return {
      waiting,
      failed: this.queue.failed.size,
      sent: this.sentCount,
      failedAttempts: this.failedAttempts,
    }
  }

  /** Queues the mails that were written to the store. */
  applyChanges(changes: readonly Change[]): void {
    const mails = changes.filter(change => change.table === 'mails')
    for (const { id, after } of mails)
      if (!after) this.queue.remove(id)
      else if (!this.inProgress.has(id)) this.enqueue(after)
    if (mails.length > 0) this.sendDue()
  }

  /** Starts sending the mails that are due. */
  sendDue(): void {
    while (!this.isClosed && this.inProgress.size < MAX_CONCURRENT) {
      const id = this.queue.takeDue(this.clock())
      if (id === undefined) return
      const delivery = this.deliver(id).finally(() => {
        this.inProgress.delete(id)
        this.sendDue()
      })
      this.inProgress.set(id, delivery)
    }
  }

  /** Resolves when no mail is in progress. */
  async whenIdle(): Promise<void> {
    while (this.inProgress.size > 0) await Promise.all(this.inProgress.values())
  }

  /** Starts no further mail, and waits for those in progress, which are aborted if they take too long. */
  async close(): Promise<void> {
    this.isClosed = true
    const timeout = Promise.withResolvers<void>()
    const timer = setTimeout(timeout.resolve, CLOSE_TIMEOUT)
    await Promise.race([this.whenIdle(), timeout.promise])
    clearTimeout(timer)
    this.transport.close()
    await this.whenIdle()
  }

  private enqueue({ id, content, dueAt, failed }: MailRow) {
    if (failed) this.queue.addFailed(id)
    else this.queue.add(id, dueAt, content.kind !== 'digest')
  }

  private async deliver(id: number): Promise<void> {
    try {
      const mail = this.store.read.mails.get(id)
      if (!mail) return
      if (!this.delivered.has(id)) await this.send(mail)
      this.delivered.add(id)
      await this.store.write(tables => tables.mails.remove(id))
      this.delivered.delete(id)
    } catch (error) {
      if (error instanceof PostponedMail) this.queue.add(id, error.until, true)
      else if (!this.isClosed) await this.postpone(id, error)
    }
  }

  private async send(mail: MailRow) {
    const message = await this.compose(mail)
    if (!message) return
    await this.transport.send(message)
    this.sentCount++
    this.log.info('mail sent', { mail: mail.id, kind: mail.content.kind })
  }

  private async postpone(id: number, error: unknown): Promise<void> {
    this.failedAttempts++
    const reason = loggable(errorMessage(error))
    try {
      const mail = await this.store.write(tables => {
        const row = tables.mails.get(id)
        return row && tables.mails.update(row, this.afterFailure(row, reason))
      })
      if (!mail) return
      this.enqueue(mail)
      this.logFailure(mail)
    } catch (cause) {
      // The row couldn't be changed, perhaps because the disk is full. The mail must not be tried again at once.
      this.queue.add(id, this.clock() + FIRST_RETRY_DELAY, true)
      this.log.warn('a mail could not be sent, and its failure could not be saved', {
        mail: id,
        cause: String(cause),
        reason,
      })
    }
  }

  private afterFailure(mail: MailRow, reason: string): Partial<MailRow> {
    const now = this.clock()
    const { attempts } = mail
    const triedSince = mail.triedSince ?? now
    const end = triedSince + RETRY_PERIOD
    const dueAt = Math.min(now + Math.min(FIRST_RETRY_DELAY * 2 ** attempts, MAX_RETRY_DELAY), end)
    return { attempts: attempts + 1, triedSince, dueAt, lastError: reason, failed: now >= end }
  }

  private logFailure({ id, content, attempts, failed, lastError: reason }: MailRow) {
    const details = { mail: id, kind: content.kind, attempts, reason }
    if (failed) this.log.error('a mail could not be sent and will not be tried again', details)
    else this.log.warn('a mail could not be sent and will be tried again', details)
  }
}
