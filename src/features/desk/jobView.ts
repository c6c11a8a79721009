import { DAY } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { hasPublicPage, type Status, statusOf } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import { type OwnerVerb, ownerVerbs } from '../jobs/ownerVerbs.ts'
import { presentJobCard } from '../pages/card.ts'
import { countText, machineDate, shortDate } from '../pages/view.ts'

/** The statuses as people read them. */
export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  draft: 'Draft',
  pending: 'Awaiting approval',
  refused: 'Not approved',
  scheduled: 'Scheduled',
  active: 'Active',
  filled: 'Filled',
  closed: 'Closed',
  expired: 'Expired',
}

/** The labels of the buttons. */
export const VERB_NAMES: Readonly<Record<OwnerVerb, string>> = {
  submit: 'Submit',
  renew: 'Renew',
  fill: 'Mark as filled',
  close: 'Close',
  reopen: 'Reopen',
}

/** Returns a job as its owner sees it in the desk, with what can be done with it. */
export function presentDeskJob(board: Board, job: JobRow) {
  const now = board.clock()
  const status = statusOf(job, now)
  const { views, applyClicks, impressions } = board.traffic.countsOf(job.id)
  const card = presentJobCard(board, job)
  return {
    ...card,
    desk_path: deskPath(job.id),
    status,
    status_name: STATUS_NAMES[status],
    about: [job.company, card.place].filter(Boolean).join(' · '),
    refusal: status === 'refused' ? (job.refusal ?? '') : '',
    views,
    apply_clicks: applyClicks,
    impressions,
    is_counted: job.publishedAt !== null,
    time: timeOf(job, status, now),
    view_label: hasPublicPage(job, now) ? 'View' : 'Preview',
    verbs: ownerVerbs(job, now).map(verb => ({
      name: verb,
      label: VERB_NAMES[verb],
      path: `${deskPath(job.id)}/${verb}`,
      // The plan and the period are shown before a job is renewed.
      is_asked: verb === 'renew',
    })),
  }
}

export const deskPath = (id: number) => `/account/jobs/${id}`

/** Returns the time that matters in a status, as text with the exact time; null if there is none. */
function timeOf(job: JobRow, status: Status, now: number) {
  const [label, moment] = momentOf(job, status, now)
  return moment === null ? null : { label, at: machineDate(moment), text: shortDate(moment) }
}

function momentOf(job: JobRow, status: Status, now: number): [label: string, moment: number | null] {
  const { expiresAt, publishAt, publishedAt, updatedAt } = job
  if (status === 'active') return [`${daysUntil(expiresAt ?? now, now)} left, until`, expiresAt]
  if (status === 'scheduled') return ['Goes online on', publishedAt]
  if (status === 'filled') return ['Filled on', job.filledAt]
  if (status === 'closed') return ['Closed on', job.closedAt]
  if (status === 'expired') return ['Expired on', expiresAt]
  return publishAt === null ? ['Last changed on', updatedAt] : ['To be published on', publishAt]
}

const daysUntil = (end: number, now: number) => countText(Math.ceil((end - now) / DAY), 'day')
