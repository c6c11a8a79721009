import { deleteExpiredTokens } from '../accounts/tokens.ts'
import { removeUnconfirmed } from '../accounts/unconfirmed.ts'
import { type Clock, DAY, MINUTE } from '../base/clock.ts'
import type { Log } from '../http/log.ts'
import type { Links } from '../http/response/links.ts'
import type { JobIndex } from '../search/jobIndex.ts'
import { deleteInBatches } from '../store/deleteInBatches.ts'
import type { MailRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Change } from '../store/tables.ts'
import { MailDelivery } from './delivery.ts'
import { type Digest, Digests } from './digests.ts'
import { LinkLimits } from './linkLimits.ts'
import type { Message } from './message.ts'
import { hasAddressee, Outbox } from './outbox.ts'
import { Smtp, type SmtpOptions } from './smtp.ts'
import { renderMail } from './templates.ts'

/** How often it is looked what the time has made due. */
const ROUND = MINUTE / 2
const SWEPT_EVERY = DAY
const FAILED_KEPT_FOR = 30 * DAY

/** What mail needs of the board it is for. */
export interface MailerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly links: Links
  readonly listing: JobIndex
  /** Undefined where no mail leaves. */
  readonly smtp: SmtpOptions | undefined
  /** The board's name. */
  readonly name: string
  readonly digest: Digest
  /** Whether the board has pages for people. */
  readonly pages: boolean
}

/** Everything that has to do with mail, from the outbox to the mail server. */
export class Mailer {
  readonly outbox: Outbox
  private readonly courier: MailDelivery | undefined
  private readonly digests: Digests
  private readonly limits: LinkLimits
  private readonly timer: Timer
  private round: Promise<void> = Promise.resolve()
  private sweptAt = -Infinity

  constructor(private readonly sender: MailerOptions) {
    const { store, clock, log, listing, smtp, digest } = sender
    this.outbox = new Outbox(smtp !== undefined, clock)
    this.digests = new Digests(store, clock, listing, this.outbox, digest)
    this.limits = new LinkLimits(store.read, clock)
    if (smtp) this.courier = new MailDelivery(store, clock, log, mail => this.compose(mail), new Smtp(smtp))
    else log.info('this board sends no mail: --smtp-url is not set')
    this.timer = setInterval(() => void this.runDue(), ROUND)
    // a board that could not be opened must not keep the process
    this.timer.unref()
    void this.runDue()
  }

  applyChanges(changes: readonly Change[]): void {
    this.courier?.applyChanges(changes)
  }

  /** Does what the time has made due: digests, mails that are to be tried again, and once a day a sweep. */
  runDue(): Promise<void> {
    this.round = this.round.then(() => this.look())
    return this.round
  }

  /** Resolves when no mail is under way. */
  async whenIdle(): Promise<void> {
    await this.round
    await this.courier?.rest()
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.round
    await this.courier?.close()
  }

  private async look(): Promise<void> {
    try {
      if (this.courier) await this.digests.run()
      this.courier?.wake()
      await this.sweep()
    } catch (error) {
      this.sender.log.error('the regular work on mail and addresses failed', { cause: String(error) })
    }
  }

  /** Puts a mail into words, and notes in the same transaction that it was: a crash is no new request for a link. */
  private compose(mail: MailRow): Promise<Message | undefined> {
    const { store, clock, links, listing, pages, name: boardName } = this.sender
    const { limits } = this
    return store.write(tables => {
      const now = clock()
      const isFirst = mail.triedSince === null
      const timing = { now, isFirst, queuedAt: mail.createdAt, limits }
      const draft = renderMail(mail.content, {
        ...timing,
        tables,
        links,
        jobIndex: listing,
        boardName,
        hasPages: pages,
      })
      if (draft && isFirst) tables.mails.update(mail, { triedSince: now })
      return draft && { ...draft, id: `<mail-${mail.id}-${mail.createdAt}@${new URL(links.base).hostname}>` }
    })
  }

  /** Deletes what is out of date; a board that sends no mail collects addresses all the same. */
  private async sweep(): Promise<void> {
    const { store, clock } = this.sender
    const now = clock()
    if (now < this.sweptAt + SWEPT_EVERY) return
    this.sweptAt = now
    await removeUnconfirmed(store, now)
    await deleteExpiredTokens(store, now)
    const before = now - FAILED_KEPT_FOR
    await deleteInBatches(
      store,
      'mails',
      ({ content: letter, failed, dueAt }, tables) =>
        (failed && dueAt <= before) || !hasAddressee(letter, tables),
    )
  }
}
