import { deleteExpiredTokens } from '../accounts/tokens.ts'
import { deleteUnconfirmed } from '../accounts/unconfirmed.ts'
import { type Clock, DAY, MINUTE } from '../base/clock.ts'
import type { Log } from '../http/log.ts'
import type { Links } from '../http/response/links.ts'
import type { JobIndex } from '../search/jobIndex.ts'
import { deleteInBatches } from '../store/deleteInBatches.ts'
import type { MailRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Change } from '../store/tables.ts'
import { MailDelivery } from './delivery.ts'
import { Digests, type DigestSchedule } from './digests.ts'
import { LinkLimits } from './linkLimits.ts'
import type { Message } from './message.ts'
import { hasRecipient, Outbox } from './outbox.ts'
import { Smtp, type SmtpOptions } from './smtp.ts'
import { renderMail } from './templates.ts'

/** How often it is looked what the time has made due. */
const INTERVAL = MINUTE / 2
const CLEANUP_INTERVAL = DAY
const FAILED_RETENTION = 30 * DAY

/** What mail needs of the board it is for. */
export interface MailerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly links: Links
  readonly jobIndex: JobIndex
  /** Undefined where no mail leaves. */
  readonly smtp: SmtpOptions | undefined
  /** The board's name. */
  readonly boardName: string
  readonly digest: DigestSchedule
  /** Whether the board has pages for people. */
  readonly hasPages: boolean
}

/** Everything that has to do with mail, from the outbox to the mail server. */
export class Mailer {
  readonly outbox: Outbox
  private readonly delivery: MailDelivery | undefined
  private readonly digests: Digests
  private readonly limits: LinkLimits
  private readonly timer: Timer
  private work: Promise<void> = Promise.resolve()
  private cleanedUpAt = -Infinity

  constructor(private readonly options: MailerOptions) {
    const { store, clock, log, jobIndex, smtp, digest } = options
    this.outbox = new Outbox(smtp !== undefined, clock)
    this.digests = new Digests(store, clock, jobIndex, this.outbox, digest)
    this.limits = new LinkLimits(store.read, clock)
    if (smtp) this.delivery = new MailDelivery(store, clock, log, mail => this.compose(mail), new Smtp(smtp))
    else log.info('this board sends no mail: --smtp-url is not set')
    this.timer = setInterval(() => void this.runDue(), INTERVAL)
    // a board that could not be opened must not keep the process
    this.timer.unref()
    void this.runDue()
  }

  applyChanges(changes: readonly Change[]): void {
    this.delivery?.applyChanges(changes)
  }

  /** Does what the time has made due: digests, mails that are to be tried again, and once a day a sweep. */
  runDue(): Promise<void> {
    this.work = this.work.then(() => this.doDueWork())
    return this.work
  }

  /** Resolves when no mail is under way. */
  async whenIdle(): Promise<void> {
    await this.work
    await this.delivery?.whenIdle()
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.work
    await this.delivery?.close()
  }

  private async doDueWork(): Promise<void> {
    try {
      if (this.delivery) await this.digests.run()
      this.delivery?.sendDue()
      await this.cleanUp()
    } catch (error) {
      this.options.log.error('the regular work on mail and addresses failed', { cause: String(error) })
    }
  }

  /** Puts a mail into words, and notes in the same transaction that it was: a crash is no new request for a link. */
  private compose(mail: MailRow): Promise<Message | undefined> {
    const { store, clock, links, jobIndex, hasPages, boardName } = this.options
    const { limits } = this
    return store.write(tables => {
      const now = clock()
      const isFirst = mail.triedSince === null
      const timing = { now, isFirst, queuedAt: mail.createdAt, limits }
      const draft = renderMail(mail.content, { ...timing, tables, links, jobIndex, boardName, hasPages })
      if (draft && isFirst) tables.mails.update(mail, { triedSince: now })
      return draft && { ...draft, id: `<mail-${mail.id}-${mail.createdAt}@${new URL(links.base).hostname}>` }
    })
  }

  /** Deletes what is out of date; a board that sends no mail collects addresses all the same. */
  private async cleanUp(): Promise<void> {
    const { store, clock } = this.options
    const now = clock()
    if (now < this.cleanedUpAt + CLEANUP_INTERVAL) return
    this.cleanedUpAt = now
    await deleteUnconfirmed(store, now)
    await deleteExpiredTokens(store, now)
    const before = now - FAILED_RETENTION
    await deleteInBatches(
      store,
      'mails',
      ({ content, failed, dueAt }, tables) => (failed && dueAt <= before) || !hasRecipient(content, tables),
    )
  }
}
