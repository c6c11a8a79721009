import { issueToken } from '../accounts/tokens.ts'
import { findUser } from '../accounts/users.ts'
import type { Links } from '../http/response/links.ts'
import { type JobIndex, statusOf } from '../search/jobIndex.ts'
import type { JobRow, MailContent, SubscriberRow, UserRow } from '../store/rows.ts'
import { issueLimited, type LinkRequest } from './linkLimits.ts'
import { bulletList, codeBlock, linkParagraph, type ListItem, type Message, paragraph } from './message.ts'

/** What a mail consists of, apart from what all have. */
export type RenderedMail = Omit<Message, 'id'>

/** What letters speak of. */
export interface MailContext extends LinkRequest {
  readonly links: Links
  readonly listing: JobIndex
  /** The board's name. */
  readonly board: string
  /** Whether it has pages, which mails link to rather than to JSON. */
  readonly pages: boolean
}

const JOBS_IN_DIGEST = 50

type Writers = {
  readonly [K in MailContent['kind']]: (
    letter: MailContent & { kind: K },
    at: MailContext,
  ) => RenderedMail | undefined
}

const WRITERS: Writers = {
  subscription: ({ subscriberId }, at) => subscription(at.tables.subscribers.get(subscriberId), at),
  digest: (letter, at) => digest(at.tables.subscribers.get(letter.subscriberId), letter, at),
  account: ({ userId }, at) => account(at.tables.users.get(userId), at),
  registered: ({ userId }, at) => registered(at.tables.users.get(userId), at),
  reset: ({ email }, at) => reset(findUser(at.tables, email), at),
  waiting: ({ userId, jobId }, at) => waiting(at.tables.users.get(userId), at.tables.jobs.get(jobId), at),
  approved: ({ userId, jobId }, at) => approved(at.tables.users.get(userId), at.tables.jobs.get(jobId), at),
  refused: ({ userId, title }, at) => refused(at.tables.users.get(userId), title, at),
}

/**
 * What a letter says as things are now; undefined if that is nothing any more. Issues the tokens of its links, which
 * are known to the mail alone.
 */
export function renderMail(letter: MailContent, at: MailContext): RenderedMail | undefined {
  // the writer is that of the letter's kind, which TypeScript does not follow through the union
  const write = WRITERS[letter.kind] as (letter: MailContent, at: MailContext) => RenderedMail | undefined
  return write(letter, at)
}

function subscription(subscriber: SubscriberRow | undefined, at: MailContext): RenderedMail | undefined {
  const token = subscriber && !subscriber.confirmed && issueLimited('subscription', subscriber, at)
  if (!token) return undefined
  return {
    to: subscriber.email,
    subject: `Confirm your job alerts from ${at.board}`,
    parts: [
      paragraph(`Someone (probably you) used this address to subscribe to job alerts from ${at.board}.`),
      linkParagraph('Confirm my subscription', confirmation('subscribers', token, at)),
      paragraph(
        "The link is valid for 7 days. If this wasn't you, ignore this e-mail: you won't be subscribed.",
      ),
    ],
  }
}

function account(user: UserRow | undefined, at: MailContext): RenderedMail | undefined {
  const token = user && !user.confirmed && issueLimited('account', user, at)
  if (!token) return undefined
  return {
    to: user.email,
    subject: `Confirm your e-mail address for ${at.board}`,
    parts: [
      paragraph(`Someone (probably you) used this address for an account at ${at.board}.`),
      linkParagraph('Confirm my address', confirmation('users', token, at)),
      paragraph('The link is valid for 7 days. You can post jobs once your address is confirmed.'),
      paragraph(
        "If this wasn't you, ignore this e-mail: the account can't post jobs without your confirmation.",
      ),
    ],
  }
}

const reset = (user: UserRow | undefined, at: MailContext) =>
  withResetCode(user, at, {
    subject: `Reset your password for ${at.board}`,
    why: `Someone (probably you) asked to reset the password of your account at ${at.board}.`,
  })

/**
 * Tells somebody who tried to register that they have an account. No link in it confirms the address: an account that
 * isn't confirmed yet may have been made by somebody else, with a password of theirs. A new password ends that one.
 */
const registered = (user: UserRow | undefined, at: MailContext) =>
  withResetCode(user, at, {
    subject: `You already have an account at ${at.board}`,
    why: `Someone (probably you) tried to create an account at ${at.board} with this address, but there already is one. Sign in with its password, or reset it.`,
  })

function withResetCode(
  user: UserRow | undefined,
  at: MailContext,
  { subject, why }: { subject: string; why: string },
): RenderedMail | undefined {
  const token = user && issueLimited('reset', user, at)
  if (!token) return undefined
  const url = at.links.to(`/password-resets/${token}.json`)
  return {
    to: user.email,
    subject,
    parts: [
      paragraph(why),
      paragraph('This is your reset code. It is valid for 24 hours and works once:'),
      codeBlock(token),
      paragraph('To set a new password from a terminal:'),
      codeBlock(`curl -X PUT ${url} \\\n  --data-urlencode 'password=YOUR NEW PASSWORD'`),
      paragraph("If this wasn't you, ignore this e-mail: your password stays the same."),
    ],
  }
}

function digest(
  subscriber: SubscriberRow | undefined,
  { since, until }: MailContent & { kind: 'digest' },
  at: MailContext,
): RenderedMail | undefined {
  if (!subscriber?.confirmed) return undefined
  const jobs = at.listing.active.filter(({ appearedAt }) => isWithin(appearedAt, since, until))
  if (jobs.length === 0) return undefined
  const token = issueToken(at.tables, 'unsubscription', subscriber.id, at.now)
  const unsubscribe = at.links.to(`/subscribers/unsubscribe.json?token=${token}`)
  const count = jobs.length === 1 ? '1 new job' : `${jobs.length} new jobs`
  const more = jobs.length - JOBS_IN_DIGEST
  return {
    to: subscriber.email,
    subject: `${count} at ${at.board}`,
    unsubscribe,
    parts: [
      paragraph(`New at ${at.board} since our last e-mail:`),
      bulletList(jobs.slice(0, JOBS_IN_DIGEST).flatMap(({ id }) => itemsOf(id, at))),
      ...(more > 0 ? [paragraph(`… and ${more} more: ${at.links.to(at.pages ? '/' : '/jobs.json')}`)] : []),
      linkParagraph('Unsubscribe', unsubscribe),
    ],
  }
}

function waiting(
  admin: UserRow | undefined,
  job: JobRow | undefined,
  at: MailContext,
): RenderedMail | undefined {
  if (admin?.role !== 'admin' || !job?.pending) return undefined
  const owner = job.userId === null ? undefined : at.tables.users.get(job.userId)
  const url = at.links.job(job.id)
  const approval = at.links.to(`/jobs/${job.id}/approve.json`)
  const curl = `curl -u ${admin.email}`
  const deed = job.appearedAt === null ? 'posted' : 'changed'
  return {
    to: admin.email,
    subject: `A job is awaiting your approval: ${job.title}`,
    parts: [
      paragraph(`${owner?.email ?? 'Someone'} ${deed} a job at ${at.board}. It is awaiting your approval:`),
      bulletList([itemOf(job, at)]),
      paragraph('To read it, to approve it, or to refuse it by deleting it:'),
      codeBlock(`${curl} ${url}\n${curl} -X PUT ${approval}\n${curl} -X DELETE ${url}`),
    ],
  }
}

function approved(
  owner: UserRow | undefined,
  job: JobRow | undefined,
  at: MailContext,
): RenderedMail | undefined {
  if (!owner || !job || statusOf(job, at.now) !== 'active') return undefined
  return {
    to: owner.email,
    subject: `Your job is online: ${job.title}`,
    parts: [
      paragraph(`Your job was approved. It is now online at ${at.board}:`),
      bulletList([itemOf(job, at)]),
    ],
  }
}

const refused = (owner: UserRow | undefined, title: string, at: MailContext): RenderedMail | undefined =>
  owner && {
    to: owner.email,
    subject: `Your job was not approved: ${title}`,
    parts: [paragraph(`An administrator of ${at.board} did not approve your job "${title}" and deleted it.`)],
  }

const confirmation = (what: 'subscribers' | 'users', token: string, { links }: MailContext) =>
  links.to(`/${what}/confirm.json?token=${token}`)

const isWithin = (moment: number | null, since: number, until: number) =>
  moment !== null && moment >= since && moment < until

/** The line of a job, if it is there still. */
function itemsOf(id: number, at: MailContext): ListItem[] {
  const job = at.tables.jobs.get(id)
  return job ? [itemOf(job, at)] : []
}

const WORKPLACES = { remote: 'Remote', onsite: 'On-site', hybrid: 'Hybrid' }

const itemOf = ({ id, title, company, location, arrangement }: JobRow, at: MailContext): ListItem => ({
  title,
  about: `${company}, ${location} (${WORKPLACES[arrangement]})`,
  url: at.pages ? at.links.to(`/jobs/${id}`) : at.links.job(id),
})
