import type { Board } from '../../board.ts'
import { statusOf } from '../../store/jobStatus.ts'

/** The numbers of things that wait for an administrator. */
export interface Attention {
  readonly pendingJobs: number
  readonly failedMails: number
  /** Sources whose last run failed. */
  readonly failedSources: number
  /** Webhooks whose last delivery failed. */
  readonly failedWebhooks: number
}

/** Counts what waits for an administrator. */
export function attentionOf({ store, jobIndex, mail, clock }: Board): Attention {
  const now = clock()
  return {
    pendingJobs: jobIndex.all.filter(job => job.pending && statusOf(job, now) === 'pending').length,
    failedMails: mail.failed.size,
    failedSources: store.read.sources.all().filter(({ failed }) => failed).length,
    failedWebhooks: store.read.webhooks
      .all()
      .filter(({ status, lastError }) => status === 'failing' || lastError !== null).length,
  }
}
