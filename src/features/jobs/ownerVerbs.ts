import { statusOf } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import { reopening } from './lifecycle.ts'
import { requireRenewable } from './renewal.ts'
import { hasEffect } from './verbs.ts'

/** What the owner of a job can do with it. */
const OWNER_VERBS = ['submit', 'renew', 'fill', 'close', 'reopen'] as const
export type OwnerVerb = (typeof OWNER_VERBS)[number]

/** Returns the verbs with which the owner of a job can change it now. */
export const ownerVerbs = (job: JobRow, now: number): OwnerVerb[] =>
  OWNER_VERBS.filter(verb => {
    if (!hasEffect(verb, statusOf(job, now))) return false
    try {
      if (verb === 'renew') requireRenewable(job, now)
      if (verb === 'reopen') reopening(job, now)
      return true
    } catch {
      return false
    }
  })
