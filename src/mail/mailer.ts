import {
  deleteEndedSessions,
  deleteExpiredTokens,
  deleteOldBatches,
  deleteUnclaimedDrafts,
  deleteUnconfirmed,
} from '../accounts/cleanup.ts'
import { type Clock, DAY, MINUTE } from '../base/clock.ts'
import type { BoardConfig } from '../config/settings.ts'
import type { Log } from '../http/log.ts'
import type { Links } from '../http/response/links.ts'
import type { JobIndex } from '../search/jobIndex.ts'
import { deleteInBatches } from '../store/deleteInBatches.ts'
import type { MailRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Change } from '../store/tables.ts'
import type { CountsOf } from './context.ts'
import { type MailCounts, MailDelivery } from './delivery.ts'
import { Digests } from './digests.ts'
import { LinkLimits } from './linkLimits.ts'
import type { Message } from './message.ts'
import { Outbox, recipientOf } from './outbox.ts'
import { Reminders } from './reminders.ts'
import { Smtp, type SmtpOptions } from './smtp.ts'
import { renderMail } from './templates.ts'

/** How often the mailer looks for work that is due. */
const INTERVAL = MINUTE / 2
const CLEANUP_INTERVAL = DAY
const FAILED_RETENTION = 30 * DAY

/** The parts and options of the board that the mailer uses. */
interface MailerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly links: Links
  readonly jobIndex: JobIndex
  /** Undefined if the board sends no mail. */
  readonly smtp: SmtpOptions | undefined
  /** Returns the settings as they are now. */
  readonly settings: () => Pick<BoardConfig, 'name' | 'digest'>
  /** Whether owners are reminded of the end of their jobs. */
  readonly remindsOwners: boolean
  readonly countsOf: CountsOf
  /** Whether the board has pages, which mails then link to. */
  readonly hasPages: boolean
}

/** Sends the board's mail: queues digests, composes and delivers messages, and deletes outdated records. */
export class Mailer {
  readonly outbox: Outbox
  private readonly delivery: MailDelivery | undefined
  private readonly digests: Digests
  private readonly reminders: Reminders
  private readonly limits: LinkLimits
  private readonly timer: Timer
  private work: Promise<void> = Promise.resolve()
  private cleanedUpAt = -Infinity

  constructor(private readonly options: MailerOptions) {
    const { store, clock, log, jobIndex, smtp } = options
    this.outbox = new Outbox(smtp !== undefined, clock)
    this.digests = new Digests(store, clock, jobIndex, this.outbox, () => options.settings().digest)
    this.reminders = new Reminders(store, clock, jobIndex, this.outbox, options.remindsOwners)
    this.limits = new LinkLimits(store.read, clock)
    if (smtp) this.delivery = new MailDelivery(store, clock, log, mail => this.compose(mail), new Smtp(smtp))
    else log.info('this board sends no mail: --smtp-url is not set')
    this.timer = setInterval(() => void this.runDue(), INTERVAL)
    // The timer must not keep the process alive if opening the board fails.
    this.timer.unref()
    void this.runDue()
  }

  /** The ids of the mails that failed; none on a board that sends no mail. */
  get failed(): ReadonlySet<number> {
    return this.delivery?.failed ?? new Set()
  }

  /** Undefined on a board that sends no mail. */
  get counts(): MailCounts | undefined {
    return this.delivery?.counts
  }

  applyChanges(changes: readonly Change[]): void {
    this.delivery?.applyChanges(changes)
  }

  /** Does the work that is due: queues digests, retries mails, and cleans up once a day. */
  runDue(): Promise<void> {
    this.work = this.work.then(() => this.doDueWork())
    return this.work
  }

  /** Resolves when no mail is in progress. */
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
      await this.reminders.run()
      this.delivery?.sendDue()
      await this.cleanUp()
    } catch (error) {
      this.options.log.error('queueing digests or cleaning up failed', { cause: String(error) })
    }
  }

  /** Composes a mail's message, and records the attempt in the same transaction: after a crash, it isn't the first. */
  private compose(mail: MailRow): Promise<Message | undefined> {
    const { store, clock, links, jobIndex, hasPages, settings, countsOf } = this.options
    const { limits } = this
    return store.write(tables => {
      const now = clock()
      const isFirst = mail.triedSince === null
      const timing = { now, isFirst, queuedAt: mail.createdAt, limits }
      const message = renderMail(mail.content, {
        ...timing,
        tables,
        links,
        jobIndex,
        boardName: settings().name,
        countsOf,
        hasPages,
      })
      if (message && isFirst) tables.mails.update(mail, { triedSince: now })
      return (
        message && { ...message, id: `<mail-${mail.id}-${mail.createdAt}@${new URL(links.base).hostname}>` }
      )
    })
  }

  /** Deletes outdated records, also on a board without mail, which collects addresses too. */
  private async cleanUp(): Promise<void> {
    const { store, clock, jobIndex } = this.options
    const now = clock()
    if (now < this.cleanedUpAt + CLEANUP_INTERVAL) return
    this.cleanedUpAt = now
    await deleteUnconfirmed(store, now)
    await deleteExpiredTokens(store, now)
    await deleteOldBatches(store, now)
    await deleteEndedSessions(store, now)
    // Reading every job to find the drafts would delay the first requests.
    const drafts = jobIndex.all.filter(({ submittedAt }) => submittedAt === null)
    await deleteUnclaimedDrafts(
      store,
      drafts.map(({ id }) => id),
      now,
    )
    const before = now - FAILED_RETENTION
    await deleteInBatches(
      store,
      'mails',
      ({ content, failed, dueAt }, tables) =>
        (failed && dueAt <= before) || recipientOf(content, tables) === undefined,
    )
  }
}
