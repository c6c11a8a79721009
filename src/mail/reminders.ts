import { type Clock, DAY } from '../base/clock.ts'
import type { JobIndex } from '../search/jobIndex.ts'
import type { JobSummary } from '../search/jobSummary.ts'
import { statusOf } from '../store/jobStatus.ts'
import type { JobRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { Outbox } from './outbox.ts'

/** How long before the end of a job its owner is reminded: each of these times, once. */
const BEFORE_END = [7 * DAY, DAY, 0]
/** A reminder that is late by more than this, because the board was down, is not sent. */
const MAX_DELAY = 7 * DAY
/** Drafts that aren't changed for this long are deleted. */
export const DRAFT_LIFETIME = 90 * DAY
/** How long before a draft is deleted its owner is warned. */
const WARNING_PERIOD = 7 * DAY
/** The number of jobs that one transaction changes. */
const BATCH_SIZE = 100

/**
 * Reminds owners before the end of their jobs and at it, and deletes old drafts after a warning. The row of a job says which
 * reminders are queued, and is written in the same transaction, so that each is queued once.
 */
export class Reminders {
  /** Whether owners get these mails. Otherwise old drafts are deleted without a warning. */
  private readonly isEnabled: boolean

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly jobIndex: JobIndex,
    private readonly outbox: Outbox,
    remindsOwners: boolean,
  ) {
    this.isEnabled = remindsOwners && outbox.isEnabled
  }

  /** Queues the mails that are due, and deletes the drafts that are due. */
  async run(): Promise<void> {
    const now = this.clock()
    if (this.isEnabled) await this.change(job => dueReminders(job, now) > remindersOf(job), this.remind)
    await this.change(
      job => isDraft(job) && now >= job.updatedAt + DRAFT_LIFETIME - WARNING_PERIOD,
      this.ageDraft,
    )
  }

  /** Changes the jobs that are due, in batches. Each is checked again in the transaction. */
  private async change(
    isDue: (job: JobSummary | JobRow) => boolean,
    change: (tables: Tables, job: JobRow) => void,
  ) {
    const ids = this.jobIndex.all.filter(job => isDue(job)).map(({ id }) => id)
    for (let start = 0; start < ids.length; start += BATCH_SIZE)
      await this.store.write(tables => {
        for (const id of ids.slice(start, start + BATCH_SIZE)) {
          const job = tables.jobs.get(id)
          if (job && isDue(job)) change(tables, job)
        }
      })
  }

  private readonly remind = (tables: Tables, job: JobRow) => {
    const { id: jobId, userId, expiresAt } = job
    if (expiresAt === null) return
    tables.jobs.update(job, { remindedOf: expiresAt, reminders: dueReminders(job, this.clock()) })
    if (userId !== null) this.outbox.enqueue(tables, { kind: 'expiry', userId, jobId, expiresAt })
  }

  /** Warns the owner of an old draft, and deletes it a week later. */
  private readonly ageDraft = (tables: Tables, job: JobRow) => {
    const now = this.clock()
    const { id, userId, updatedAt, warnedAt } = job
    const canWarn = this.isEnabled && userId !== null
    if (canWarn && warnedAt === null) {
      tables.jobs.update(job, { warnedAt: now })
      this.outbox.enqueue(tables, { kind: 'draft', userId, jobId: id })
    } else if (now >= updatedAt + DRAFT_LIFETIME && (!canWarn || now >= (warnedAt ?? now) + WARNING_PERIOD))
      tables.jobs.remove(id)
  }
}

const isDraft = ({ submittedAt }: JobSummary | JobRow) => submittedAt === null

/** Returns the number of reminders that are queued for the job's current end. */
const remindersOf = ({ expiresAt, remindedOf, reminders }: JobSummary | JobRow) =>
  remindedOf === expiresAt ? reminders : 0

/** Returns the number of reminders before an end, or at it, whose time has come. */
export const remindersUntil = (end: number, now: number) =>
  BEFORE_END.filter(before => now >= end - before).length

/**
 * Returns the number of reminders that should be queued by now. None is due for a moment before the job was published, or at
 * that moment.
 */
export function dueReminders(job: JobSummary | JobRow, now: number): number {
  const { publishedAt, expiresAt } = job
  const status = statusOf(job, now)
  if (publishedAt === null || expiresAt === null || (status !== 'active' && status !== 'expired')) return 0
  if (now > expiresAt + MAX_DELAY) return 0
  const due = remindersUntil(expiresAt, now)
  return due > remindersUntil(expiresAt, publishedAt) ? due : 0
}
