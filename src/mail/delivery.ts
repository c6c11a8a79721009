import { type Clock, DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { loggable } from '../base/text.ts'
import type { Log } from '../http/log.ts'
import type { MailRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Change } from '../store/tables.ts'
import { PostponedMail } from './linkLimits.ts'
import type { Message } from './message.ts'
import { MailQueue } from './queue.ts'

const AT_A_TIME = 4
/** Doubles with each attempt, up to the longest. */
const FIRST_GAP = MINUTE
const LONGEST_GAP = 6 * HOUR
const TRIED_FOR = 3 * DAY
/** What is under way when the board closes may take this long: to break it off could send it twice. */
const FAREWELL = 3 * SECOND

/**
 * Puts a mail into words; undefined where there is nothing left to say, or nobody to say it to.
 * @throws Postponed if the mail has to wait
 */
export type Compose = (mail: MailRow) => Promise<Message | undefined>

/** Hands messages to the mail server. */
export interface MailTransport {
  /** Resolves once the server has taken it. Fails with a reason that may be logged and stored. */
  send(message: Message): Promise<void>
  /** Breaks off what is under way. */
  close(): void
}

/**
 * Delivers what the store holds to be delivered, in the background. A mail's row goes once the server has the mail; so
 * after a crash a mail may leave twice, with the same Message-ID, and none is lost.
 */
export class MailDelivery {
  private readonly waiting = new MailQueue()
  private readonly underWay = new Map<number, Promise<void>>()
  /** Those that have left, but whose rows could not be removed. */
  private readonly delivered = new Set<number>()
  private closed = false

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly compose: Compose,
    private readonly transport: MailTransport,
  ) {
    for (const mail of store.read.mails.all()) this.place(mail)
  }

  /** Takes note of mails that were written. */
  applyChanges(changes: readonly Change[]): void {
    const mails = changes.filter(change => change.table === 'mails')
    for (const { id, after } of mails)
      if (!after) this.waiting.drop(id)
      else if (!this.underWay.has(id)) this.place(after)
    if (mails.length > 0) this.wake()
  }

  /** Sets out with what is due. */
  wake(): void {
    while (!this.closed && this.underWay.size < AT_A_TIME) {
      const id = this.waiting.take(this.clock())
      if (id === undefined) return
      const delivery = this.deliver(id).finally(() => {
        this.underWay.delete(id)
        this.wake()
      })
      this.underWay.set(id, delivery)
    }
  }

  /** Resolves when nothing is under way. */
  async rest(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay.values())
  }

  /** Sets out no more, breaks off what is under way, and waits for the end of it. */
  async close(): Promise<void> {
    this.closed = true
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, FAREWELL)
    await Promise.race([this.rest(), late.promise])
    clearTimeout(timer)
    this.transport.close()
    await this.rest()
  }

  private place({ id, content: letter, dueAt, failed }: MailRow) {
    if (failed) this.waiting.drop(id)
    else this.waiting.put(id, dueAt, letter.kind !== 'digest')
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
      if (error instanceof PostponedMail) this.waiting.put(id, error.until, true)
      else if (!this.closed) await this.postpone(id, error)
    }
  }

  private async send(mail: MailRow) {
    const message = await this.compose(mail)
    if (!message) return
    await this.transport.send(message)
    this.log.info('mail sent', { mail: mail.id, kind: mail.content.kind })
  }

  private async postpone(id: number, error: unknown): Promise<void> {
    const fault = loggable(error instanceof Error ? error.message : String(error))
    try {
      const mail = await this.store.write(tables => {
        const row = tables.mails.get(id)
        return row && tables.mails.update(row, this.afterFailure(row, fault))
      })
      if (!mail) return
      this.place(mail)
      this.tell(mail)
    } catch (cause) {
      // the store takes no note, a full disk say: the row is as it was, and must not be tried again at once
      this.waiting.put(id, this.clock() + FIRST_GAP, true)
      this.log.warn('a mail stays in the queue: its failure could not be saved', {
        mail: id,
        cause: String(cause),
        fault,
      })
    }
  }

  private afterFailure(mail: MailRow, fault: string): Partial<MailRow> {
    const now = this.clock()
    const { attempts, triedSince: first } = mail
    const triedSince = first ?? now
    const end = triedSince + TRIED_FOR
    const dueAt = Math.min(now + Math.min(FIRST_GAP * 2 ** attempts, LONGEST_GAP), end)
    return { attempts: attempts + 1, triedSince, dueAt, lastError: fault, failed: now >= end }
  }

  private tell({ id, content: letter, attempts, failed, lastError: fault }: MailRow) {
    const details = { mail: id, kind: letter.kind, attempts, fault }
    if (failed) this.log.error('a mail could not be sent and is given up', details)
    else this.log.warn('a mail could not be sent and will be tried again', details)
  }
}
