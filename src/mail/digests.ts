import { type Clock, DAY, HOUR, MINUTE } from '../base/clock.ts'
import type { JobIndex, JobSummary } from '../search/jobIndex.ts'
import type { SubscriberRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { Outbox } from './outbox.ts'

export type DigestSchedule = 'off' | 'daily' | 'weekly'

const WEEK = 7 * DAY
/** Digests go out at seven in the morning UTC. */
const SENDING_TIME = 7 * HOUR
/** Of weeks that begin on Mondays: 1970 began on a Thursday. */
const MONDAY = 4 * DAY
/** A job that appeared just before is on disk by then. */
const COMMIT_TIME = MINUTE
/** How many subscribers are served in one transaction. */
const BATCH = 50

const PERIODS = {
  daily: { length: DAY, begins: SENDING_TIME },
  weekly: { length: WEEK, begins: MONDAY + SENDING_TIME },
}

/** When the latest period ended that is over at a moment. */
export function periodEnd(now: number, digest: Exclude<DigestSchedule, 'off'>): number {
  const { length, begins } = PERIODS[digest]
  return Math.floor((now - begins) / length) * length + begins
}

/**
 * Tells confirmed subscribers once in a period what appeared in it. Each one's row says until when they were told, and
 * is written together with their mail: whatever happens in between, nobody is told twice, and nobody is left out.
 */
export class Digests {
  /** What is known to be done, so that looking costs nothing. */
  private doneUntil = -Infinity

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly jobIndex: JobIndex,
    private readonly outbox: Outbox,
    private readonly schedule: DigestSchedule,
  ) {}

  /** Writes the mails of a period that ended, where they are not written yet. */
  async run(): Promise<void> {
    if (this.schedule === 'off') return
    const until = periodEnd(this.clock() - COMMIT_TIME, this.schedule)
    if (until <= this.doneUntil) return
    const newest = this.jobIndex.all.reduce((latest, job) => later(latest, job, until), -Infinity)
    for (const slice of this.store.read.subscribers.batches(BATCH))
      await this.enqueueBatch(slice, until, newest)
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

const later = (latest: number, { appearedAt }: JobSummary, until: number) =>
  appearedAt !== null && appearedAt < until ? Math.max(latest, appearedAt) : latest
