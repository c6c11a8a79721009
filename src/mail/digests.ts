import { type Clock, DAY, HOUR, MINUTE } from '../base/clock.ts'
import type { JobIndex } from '../search/jobIndex.ts'
import type { JobSummary } from '../search/jobSummary.ts'
import type { SubscriberRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { Outbox } from './outbox.ts'

export type DigestSchedule = 'off' | 'daily' | 'weekly'

const WEEK = 7 * DAY
/** Digests are sent at seven in the morning, UTC. */
const SENDING_TIME = 7 * HOUR
/** Weeks begin on Mondays. 1970 began on a Thursday, so the first Monday is four days in. */
const MONDAY = 4 * DAY
/** The time until jobs that appeared at the end of a period are on disk. */
const COMMIT_TIME = MINUTE
/** The number of subscribers in one transaction. */
const BATCH = 50

const PERIODS = {
  daily: { length: DAY, begins: SENDING_TIME },
  weekly: { length: WEEK, begins: MONDAY + SENDING_TIME },
}

/** Returns the end of the last period that is over. */
function periodEnd(now: number, digest: Exclude<DigestSchedule, 'off'>): number {
  const { length, begins } = PERIODS[digest]
  return Math.floor((now - begins) / length) * length + begins
}

/**
 * Sends confirmed subscribers the jobs that appeared in each period. A subscriber's row contains the end of their last
 * period, and is written together with their mail, so that nobody gets a job twice or misses one.
 */
export class Digests {
  /** The end of the last period whose digests were all queued. Later runs have nothing to do. */
  private doneUntil = -Infinity

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly jobIndex: JobIndex,
    private readonly outbox: Outbox,
    private readonly scheduleNow: () => DigestSchedule,
  ) {}

  /** Queues the digests of the period that ended last, unless they were queued before. */
  async run(): Promise<void> {
    const schedule = this.scheduleNow()
    if (schedule === 'off') return
    const until = periodEnd(this.clock() - COMMIT_TIME, schedule)
    if (until <= this.doneUntil) return
    const newest = this.jobIndex.all.reduce((latest, job) => latestOf(latest, job, until), -Infinity)
    for (const batch of this.store.read.subscribers.batches(BATCH))
      await this.enqueueBatch(batch, until, newest)
    this.doneUntil = until
  }

  private async enqueueBatch(
    subscribers: readonly SubscriberRow[],
    until: number,
    newest: number,
  ): Promise<void> {
    const isDue = (subscriber: SubscriberRow) => subscriber.confirmed && subscriber.digestedUntil < until
    const ids = subscribers.filter(isDue).map(({ id }) => id)
    if (ids.length === 0) return
    await this.store.write(tables => {
      for (const id of ids) {
        const subscriber = tables.subscribers.get(id)
        if (subscriber && isDue(subscriber)) this.enqueueDigest(tables, subscriber, until, newest)
      }
    })
  }

  private enqueueDigest(tables: Tables, subscriber: SubscriberRow, until: number, newest: number) {
    const { id: subscriberId, digestedUntil: since } = subscriber
    if (newest >= since) this.outbox.enqueue(tables, { kind: 'digest', subscriberId, since, until })
    tables.subscribers.update(subscriber, { digestedUntil: until })
  }
}

const latestOf = (latest: number, { publishedAt }: JobSummary, until: number) =>
  publishedAt !== null && publishedAt < until ? Math.max(latest, publishedAt) : latest
