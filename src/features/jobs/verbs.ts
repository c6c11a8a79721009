import { Problem } from '../../base/problem.ts'
import { type Status, statusOf } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'

/** What can be done with a job. */
export type Verb = 'submit' | 'approve' | 'refuse' | 'fill' | 'close' | 'reopen' | 'renew'

const SUBMIT = 'Submit it first (PUT …/submit.json).'
const REOPEN = 'Reopen it instead (PUT …/reopen.json).'
const RENEW = 'Renew it instead (PUT …/renew.json).'
const DRAFT = `The job is a draft. ${SUBMIT}`
const REFUSED = `The job was refused. ${SUBMIT}`
const PENDING = 'The job is awaiting approval.'
const SCHEDULED = 'The job is not published yet.'
const FILLED = 'The job is marked as filled.'
const CLOSED = 'The job is closed.'
const EXPIRED = 'The job has expired.'
const ONLY_PENDING = 'Only a job that is awaiting approval can be refused.'
const OVER = {
  filled: `${FILLED} ${ONLY_PENDING}`,
  closed: `${CLOSED} ${ONLY_PENDING}`,
  expired: `${EXPIRED} ${ONLY_PENDING}`,
}
const APPROVED = 'The job is already approved. Close or delete it instead.'

/** The statuses in which a job can't be changed with a verb, with a message that says what to do instead. */
const CONFLICTS: Readonly<Record<Verb, Partial<Record<Status, string>>>> = {
  submit: {
    filled: `${FILLED} ${REOPEN}`,
    closed: `${CLOSED} ${REOPEN}`,
    expired: `${EXPIRED} ${RENEW}`,
  },
  approve: { draft: DRAFT, refused: REFUSED },
  refuse: { draft: DRAFT, scheduled: APPROVED, active: APPROVED, ...OVER },
  fill: {
    draft: DRAFT,
    refused: REFUSED,
    pending: `${PENDING} Close it instead (PUT …/close.json).`,
    scheduled: `${SCHEDULED} Close it instead (PUT …/close.json).`,
    closed: `${CLOSED} Reopen it first (PUT …/reopen.json).`,
    expired: `${EXPIRED} Renew it first (PUT …/renew.json).`,
  },
  close: {
    draft: 'The job is a draft. Delete it instead.',
    expired: `${EXPIRED} There is nothing to close.`,
  },
  reopen: { draft: DRAFT, refused: REFUSED, expired: `${EXPIRED} ${RENEW}` },
  renew: {
    draft: DRAFT,
    refused: REFUSED,
    scheduled: `${SCHEDULED} It can be renewed once it is.`,
  },
}

/** @throws Problem 'conflict' if the job's status doesn't allow this */
export function requireStatusFor(verb: Verb, job: JobRow, now: number): Status {
  const status = statusOf(job, now)
  const conflict = CONFLICTS[verb][status]
  if (conflict !== undefined) throw new Problem('conflict', conflict.replace('…', `/jobs/${job.id}`))
  return status
}

/** The statuses in which a verb is allowed, but changes nothing. */
const WITHOUT_EFFECT: Readonly<Partial<Record<Verb, readonly Status[]>>> = {
  submit: ['pending', 'scheduled', 'active'],
  fill: ['filled'],
  close: ['closed'],
  reopen: ['pending', 'scheduled', 'active'],
}

/** Returns whether a verb would change a job in this status. Reopening and renewing depend on its times, too. */
export const hasEffect = (verb: Verb, status: Status) =>
  CONFLICTS[verb][status] === undefined && WITHOUT_EFFECT[verb]?.includes(status) !== true

/** What a verb does, as the end of a sentence that begins with the job. */
export const OUTCOMES: Readonly<Record<Verb, string>> = {
  submit: 'is submitted',
  approve: 'is approved',
  refuse: 'is refused',
  fill: 'is marked as filled',
  close: 'is closed',
  reopen: 'is open',
  renew: 'is renewed',
}

/** Returns the message about a job that was changed. @param outcome the end of the sentence */
export const outcomeMessage = ({ title }: Pick<JobRow, 'title'>, outcome: string) =>
  `The job "${title}" ${outcome}.`
