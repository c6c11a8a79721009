import { removeUser } from '../../accounts/users.ts'
import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { statusOf } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import type { Fields } from '../../validation/validation.ts'
import { hasEffect } from '../jobs/verbs.ts'
import { countText } from '../pages/view.ts'

const MAX_TITLES = 10

/** Whether the form asks to close the jobs of the account. */
export const closedJobs = ({ values }: Fields) => values.get('jobs') !== 'keep'

/**
 * Deletes somebody's own account with its drafts. Its other jobs stay, without an owner.
 * @param closes whether they are closed
 */
export const removeOwnAccount = (
  { store, clock }: Board,
  caller: Caller,
  userId: number,
  closes: boolean,
): Promise<void> =>
  writeAs(store, caller, tables => {
    const now = floorToSecond(clock())
    for (const job of jobsOf(tables, userId))
      if (job.submittedAt === null) tables.jobs.remove(job.id)
      else if (closes && hasEffect('close', statusOf(job, now)))
        tables.jobs.update(job, { closedAt: now, updatedAt: now })
    removeUser(tables, userId)
  })

/** Returns everything that is deleted or closed with an account. */
export function removedWith({ store, clock }: Board, userId: number): string[] {
  const user = store.read.users.get(userId)
  const now = clock()
  const jobs = jobsOf(store.read, userId)
  const drafts = jobs.filter(({ submittedAt }) => submittedAt === null)
  const open = jobs.filter(job => job.submittedAt !== null && hasEffect('close', statusOf(job, now)))
  return [
    `Your account ${user?.email ?? ''}, with its sessions and tokens`,
    ...(drafts.length === 0 ? [] : [`${countText(drafts.length, 'draft')}: ${titlesOf(drafts)}`]),
    ...(open.length === 0 ? [] : [`Closed or kept, as you choose: ${titlesOf(open)}`]),
  ]
}

function titlesOf(jobs: readonly JobRow[]): string {
  const titles = jobs.slice(0, MAX_TITLES).map(({ title }) => `“${title}”`)
  const more = jobs.length - titles.length
  return titles.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

const jobsOf = ({ jobs }: TableReaders, userId: number) =>
  jobs.idsWhere('userId', userId).flatMap(id => jobs.get(id) ?? [])
