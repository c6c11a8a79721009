import { issueToken } from '../accounts/tokens.ts'
import { formatPlace } from '../base/place.ts'
import { statusOf } from '../store/jobStatus.ts'
import { ARRANGEMENT_NAMES, type JobRow } from '../store/rows.ts'
import type { MailContext, Template } from './context.ts'
import { bulletList, codeBlock, linkParagraph, type ListItem, paragraph, quote } from './message.ts'

const MAX_JOBS_IN_DIGEST = 50

export const digest: Template<'digest'> = ({ subscriberId, since, until }, context) => {
  const subscriber = context.tables.subscribers.get(subscriberId)
  if (!subscriber?.confirmed) return undefined
  const jobs = context.jobIndex.active.filter(({ publishedAt }) => isWithin(publishedAt, since, until))
  if (jobs.length === 0) return undefined
  const token = issueToken(context.tables, 'unsubscription', subscriber.id, context.now)
  const suffix = context.hasPages ? '' : '.json'
  const unsubscribe = context.links.to(`/subscribers/unsubscribe${suffix}?token=${token}`)
  const count = jobs.length === 1 ? '1 new job' : `${jobs.length} new jobs`
  const more = jobs.length - MAX_JOBS_IN_DIGEST
  return {
    to: subscriber.email,
    subject: `${count} at ${context.boardName}`,
    unsubscribe,
    parts: [
      paragraph(`New at ${context.boardName} since our last e-mail:`),
      bulletList(jobs.slice(0, MAX_JOBS_IN_DIGEST).flatMap(({ id }) => itemsOf(id, context))),
      ...(more > 0
        ? [paragraph(`… and ${more} more: ${context.links.to(context.hasPages ? '/' : '/jobs.json')}`)]
        : []),
      linkParagraph('Unsubscribe', unsubscribe),
    ],
  }
}

export const waiting: Template<'waiting'> = ({ userId, jobId }, context) => {
  const admin = context.tables.users.get(userId)
  const job = context.tables.jobs.get(jobId)
  if (admin?.role !== 'admin' || !job?.pending) return undefined
  const owner = job.userId === null ? undefined : context.tables.users.get(job.userId)
  const action = job.renewing ? 'renewed' : job.publishedAt === null ? 'posted' : 'changed'
  return {
    to: admin.email,
    subject: `A job is awaiting your approval: ${job.title}`,
    parts: [
      paragraph(
        `${owner?.email ?? 'Someone'} ${action} a job at ${context.boardName}. It is awaiting your approval:`,
      ),
      bulletList([itemOf(job, context)]),
      ...(context.hasPages
        ? [linkParagraph('Approve or refuse it', context.links.to('/admin/inbox'))]
        : approvalCommands(admin.email, job.id, context)),
    ],
  }
}

/** Explains the decision about a job on a board without pages. */
function approvalCommands(email: string, id: number, { links }: MailContext) {
  const verb = (name: string) => links.to(`/jobs/${id}/${name}.json`)
  const curl = `curl -u ${email}`
  return [
    paragraph('To read it, to approve it, or to refuse it with a reason:'),
    codeBlock(
      `${curl} ${links.job(id)}\n${curl} -X PUT ${verb('approve')}\n${curl} -X PUT ${verb('refuse')} -d 'reason=YOUR REASON'`,
    ),
  ]
}

export const approved: Template<'approved'> = ({ userId, jobId }, context) => {
  const owner = context.tables.users.get(userId)
  const job = context.tables.jobs.get(jobId)
  if (!owner || !job) return undefined
  const status = statusOf(job, context.now)
  if (status === 'active')
    return {
      to: owner.email,
      subject: `Your job is online: ${job.title}`,
      parts: [
        paragraph(`Your job was approved. It is now online at ${context.boardName}:`),
        bulletList([itemOf(job, context)]),
      ],
    }
  if (status !== 'scheduled' || job.publishedAt === null) return undefined
  return {
    to: owner.email,
    subject: `Your job is approved: ${job.title}`,
    parts: [
      paragraph(
        `Your job was approved. It will be online at ${context.boardName} from ${dateText(job.publishedAt)}:`,
      ),
      bulletList([itemOf(job, context)]),
    ],
  }
}

export const refused: Template<'refused'> = ({ userId, jobId }, context) => {
  const owner = context.tables.users.get(userId)
  const job = context.tables.jobs.get(jobId)
  if (!owner || !job || job.refusal === null) return undefined
  return {
    to: owner.email,
    subject: `Your job was not approved: ${job.title}`,
    parts: [
      paragraph(`An administrator of ${context.boardName} did not approve your job:`),
      bulletList([itemOf(job, context)]),
      paragraph('The reason:'),
      quote(job.refusal),
      paragraph('You can correct the job and submit it again.'),
      ...editLink(job.id, context),
    ],
  }
}

export const deleted: Template<'deleted'> = ({ userId, title }, context) => {
  const owner = context.tables.users.get(userId)
  return (
    owner && {
      to: owner.email,
      subject: `Your job was not approved: ${title}`,
      parts: [
        paragraph(
          `An administrator of ${context.boardName} did not approve your job "${title}" and deleted it.`,
        ),
      ],
    }
  )
}

/** Returns the link to a job's form, on a board with pages. */
export const editLink = (id: number, { links, hasPages }: MailContext) =>
  hasPages ? [linkParagraph('Edit the job', links.to(`/account/jobs/${id}/edit`))] : []

/** Formats a day for people: `10 January 2026`. */
export const dateText = (ms: number) => DATE.format(ms)

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

const isWithin = (moment: number | null, since: number, until: number) =>
  moment !== null && moment >= since && moment < until

function itemsOf(id: number, context: MailContext): ListItem[] {
  const job = context.tables.jobs.get(id)
  return job ? [itemOf(job, context)] : []
}

/** Returns an item of a list that links to a job. */
export const itemOf = (
  { id, title, company, location, arrangement }: JobRow,
  context: MailContext,
): ListItem => ({
  title,
  details: `${company}, ${formatPlace(location)} (${ARRANGEMENT_NAMES[arrangement]})`,
  url: context.hasPages ? context.links.to(`/jobs/${id}`) : context.links.job(id),
})
