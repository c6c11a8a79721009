import type { JobRow } from './rows.ts'

/** The beginning of the source of jobs that moved here with their site. */
export const MOVED = 'moved.'

/** Whether a job is kept in step with another system. Jobs that moved here are the board's own. */
export const comesFromElsewhere = ({ source }: Pick<JobRow, 'source'>) =>
  source !== null && !source.startsWith(MOVED)
