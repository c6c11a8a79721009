import { DAY } from '../../src/base/clock.ts'
import type { Status } from '../../src/store/jobStatus.ts'
import type { JobRow } from '../../src/store/rows.ts'
import { START } from './board.ts'

/** Returns for each status the columns of a job that has it from `now` on, for 10 days. */
export const statesAt = (now: number): Readonly<Record<Status, Partial<Omit<JobRow, 'id'>>>> => ({
  draft: { submittedAt: null, publishedAt: null },
  pending: { pending: true, publishedAt: null },
  refused: { refusal: 'Who is the employer?', publishedAt: null },
  scheduled: { publishAt: now + 10 * DAY, publishedAt: now + 10 * DAY, expiresAt: now + 10 * DAY + 30 * DAY },
  active: { publishedAt: now - DAY, expiresAt: now + 10 * DAY },
  filled: { publishedAt: now - 2 * DAY, expiresAt: now + 10 * DAY, filledAt: now - DAY },
  closed: { publishedAt: now - 2 * DAY, expiresAt: now + 10 * DAY, closedAt: now - DAY },
  expired: { publishedAt: now - 2 * DAY, expiresAt: now - DAY },
})

/** The columns of jobs at START. */
export const STATES = statesAt(START)
