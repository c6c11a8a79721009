import type { Board } from '../../board.ts'
import { statusOf } from '../../store/jobStatus.ts'

/** The numbers of things that wait for an administrator. */
export interface Attention {
  readonly pendingJobs: number
  readonly failedMails: number
}

/** Counts what waits for an administrator. */
export function attentionOf({ jobIndex, store, clock }: Board): Attention {
  const now = clock()
  return {
    pendingJobs: jobIndex.all.reduce((count, job) => count + Number(statusOf(job, now) === 'pending'), 0),
    failedMails: store.read.mails.all().filter(({ failed }) => failed).length,
  }
}
