import { issueToken } from '../accounts/tokens.ts'
import { DAY } from '../base/clock.ts'
import { statusOf } from '../store/jobStatus.ts'
import type { JobRow } from '../store/rows.ts'
import type { MailContext, Template } from './context.ts'
import { dateText, editLink, itemOf } from './jobTemplates.ts'
import { bulletList, linkParagraph, paragraph } from './message.ts'
import { DRAFT_LIFETIME, dueReminders } from './reminders.ts'

/** Reminds the owner of a job that it expires soon, or that it has expired. */
export const expiry: Template<'expiry'> = ({ userId, jobId, expiresAt }, context) => {
  const owner = context.tables.users.get(userId)
  const job = context.tables.jobs.get(jobId)
  if (!owner || !job || job.userId !== userId || job.expiresAt !== expiresAt) return undefined
  const status = statusOf(job, context.now)
  if (status !== 'active' && status !== 'expired') return undefined
  // A later reminder is queued as well.
  if (dueReminders(job, context.now) > dueReminders(job, context.queuedAt)) return undefined
  const token = issueToken(context.tables, 'renewal', job.id, context.now)
  return {
    to: owner.email,
    subject: `${status === 'expired' ? 'Your job has expired' : `Your job expires ${whenText(expiresAt - context.now)}`}: ${job.title}`,
    parts: [
      paragraph(
        status === 'expired'
          ? `Your job at ${context.boardName} expired on ${dateText(expiresAt)}:`
          : `Your job at ${context.boardName} expires on ${dateText(expiresAt)}:`,
      ),
      bulletList([itemOf(job, context)]),
      paragraph(statisticsOf(job, context)),
      linkParagraph('Renew this job', renewalLink(job.id, token, context)),
      paragraph('The link is valid for 30 days and needs no sign-in.'),
    ],
  }
}

/** Warns the owner of a draft that it will be deleted. */
export const draft: Template<'draft'> = ({ userId, jobId }, context) => {
  const owner = context.tables.users.get(userId)
  const job = context.tables.jobs.get(jobId)
  if (!owner || !job || job.warnedAt === null) return undefined
  return {
    to: owner.email,
    subject: `Your draft will be deleted in a week: ${job.title}`,
    parts: [
      paragraph(
        `You last changed this draft at ${context.boardName} on ${dateText(job.updatedAt)}. Drafts are deleted after ${DRAFT_LIFETIME / DAY} days:`,
      ),
      bulletList([itemOf(job, context)]),
      paragraph('To keep it, change it or submit it.'),
      ...editLink(job.id, context),
    ],
  }
}

const renewalLink = (id: number, token: string, { links, hasPages }: MailContext) =>
  links.to(`/jobs/${id}/renew${hasPages ? '' : '.json'}?token=${token}`)

/** Returns how far ahead a moment is. */
function whenText(ms: number): string {
  const days = Math.ceil(ms / DAY)
  return days <= 1 ? 'within a day' : `in ${days} days`
}

function statisticsOf({ id }: JobRow, { countsOf }: MailContext): string {
  const { impressions, views, applyClicks } = countsOf(id)
  return `So far: shown ${times(impressions)} in lists, read ${times(views)}, ${count(applyClicks, 'click')} on Apply.`
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
const times = (number: number) => count(number, 'time')
