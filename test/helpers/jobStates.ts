import { DAY } from '../../src/base/clock.ts'
import type { Status } from '../../src/store/jobStatus.ts'
import type { JobRow } from '../../src/store/rows.ts'
import { START } from './board.ts'

const LATER = START + 10 * DAY

/** For each status, the columns of a job that has it at START, and for a day more. It was posted a day before. */
export const STATES: Readonly<Record<Status, Partial<Omit<JobRow, 'id'>>>> = {
  draft: { submittedAt: null, publishedAt: null },
  pending: { pending: true, publishedAt: null },
  refused: { refusal: 'Who is the employer?', publishedAt: null },
  scheduled: { publishAt: LATER, publishedAt: LATER, expiresAt: LATER + 30 * DAY },
  active: { publishedAt: START - DAY, expiresAt: LATER },
  filled: { publishedAt: START - 2 * DAY, expiresAt: LATER, filledAt: START - DAY },
  closed: { publishedAt: START - 2 * DAY, expiresAt: LATER, closedAt: START - DAY },
  expired: { publishedAt: START - 2 * DAY, expiresAt: START - DAY },
}
