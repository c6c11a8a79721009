import { comesFromElsewhere } from '../store/jobSource.ts'
import { type JobFacts, listedAt } from '../store/jobStatus.ts'
import type { JobRow } from '../store/rows.ts'
import { foldName } from '../store/tables.ts'
import { hashOfTexts } from './searchableJob.ts'

/** The columns of a job that lists are filtered and sorted by. The others stay on disk. */
export interface JobSummary extends JobFacts {
  readonly id: number
  readonly categoryId: number | null
  readonly termId: number | null
  readonly userId: number | null
  readonly arrangement: JobRow['arrangement']
  /** Whether the job is kept in step with another system. */
  readonly isFromElsewhere: boolean
  /** The name of its logo's file; empty if it has none. */
  readonly logo: string
  readonly pinned: boolean
  /** The number of its last change. */
  readonly revision: number
  /** The title and the company's name, as `foldName` returns them. */
  readonly title: string
  readonly company: string
  readonly listedAt: number
  readonly updatedAt: number
  readonly remindedOf: number | null
  readonly reminders: number
  /** A hash of the job's searchable texts, to detect changes. */
  readonly textHash: number
}

/** The order of lists: pinned jobs first, then the newest. */
export const inOrder = (a: JobSummary, b: JobSummary) =>
  Number(b.pinned) - Number(a.pinned) || b.listedAt - a.listedAt || b.id - a.id

/** Returns the position at which a job is, or belongs, in a list that is in order. */
function positionOf(list: readonly JobSummary[], entry: JobSummary): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = list[middle]
    if (other && inOrder(other, entry) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Inserts a job into a list that is in order. */
export function insertInOrder(list: JobSummary[], entry: JobSummary) {
  list.splice(positionOf(list, entry), 0, entry)
}

/** Removes a job from a list that is in order, if it is there. */
export function removeInOrder(list: JobSummary[], entry: JobSummary) {
  const at = positionOf(list, entry)
  if (list[at] === entry) list.splice(at, 1)
}

/** @param revision the number of the change */
export function summaryOf(job: JobRow, isPinned: boolean, revision: number): JobSummary {
  const { id, categoryId, termId, userId, arrangement, logo, pending, refusal, updatedAt } = job
  const { submittedAt, publishedAt, filledAt, closedAt, expiresAt, remindedOf, reminders } = job
  return {
    id,
    categoryId,
    termId,
    userId,
    arrangement,
    isFromElsewhere: comesFromElsewhere(job),
    logo,
    pinned: isPinned,
    revision,
    title: foldName(job.title),
    company: foldName(job.company),
    listedAt: listedAt(job),
    updatedAt,
    submittedAt,
    pending,
    refusal,
    publishedAt,
    filledAt,
    closedAt,
    expiresAt,
    remindedOf,
    reminders,
    textHash: hashOfTexts(job),
  }
}
