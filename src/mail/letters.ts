import { issueToken } from '../accounts/tokens.ts'
import { findUser } from '../accounts/users.ts'
import type { Links } from '../http/links.ts'
import { type Listing, statusOf } from '../search/listing.ts'
import type { JobRow, Letter, SubscriberRow, UserRow } from '../store/rows.ts'
import { issueLimited, type Request } from './linkLimits.ts'
import { code, type Item, items, link, type Message, words } from './message.ts'

/** What a mail consists of, apart from what all have. */
export type Draft = Omit<Message, 'id'>

/** What letters speak of. */
export interface Surroundings extends Request {
  readonly links: Links
  readonly listing: Listing
  /** The board's name. */
  readonly board: string
  /** Whether it has pages, which mails link to rather than to JSON. */
  readonly pages: boolean
}

const JOBS_IN_DIGEST = 50

type Writers = {
  readonly [K in Letter['kind']]: (letter: Letter & { kind: K }, at: Surroundings) => Draft | undefined
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
export function draftLetter(letter: Letter, at: Surroundings): Draft | undefined {
  // the writer is that of the letter's kind, which TypeScript does not follow through the union
  const write = WRITERS[letter.kind] as (letter: Letter, at: Surroundings) => Draft | undefined
  return write(letter, at)
}

function subscription(subscriber: SubscriberRow | undefined, at: Surroundings): Draft | undefined {
  const token = subscriber && !subscriber.confirmed && issueLimited('subscription', subscriber, at)
  if (!token) return undefined
  return {
    to: subscriber.email,
    subject: `Confirm your job alerts from ${at.board}`,
    parts: [
      words(`Someone (probably you) used this address to subscribe to job alerts from ${at.board}.`),
      link('Confirm my subscription', confirmation('subscribers', token, at)),
      words("The link is valid for 7 days. If this wasn't you, ignore this e-mail: you won't be subscribed."),
    ],
  }
}

function account(user: UserRow | undefined, at: Surroundings): Draft | undefined {
  const token = user && !user.confirmed && issueLimited('account', user, at)
  if (!token) return undefined
  return {
    to: user.email,
    subject: `Confirm your e-mail address for ${at.board}`,
    parts: [
      words(`Someone (probably you) used this address for an account at ${at.board}.`),
      link('Confirm my address', confirmation('users', token, at)),
      words('The link is valid for 7 days. You can post jobs once your address is confirmed.'),
      words("If this wasn't you, ignore this e-mail: the account can't post jobs without your confirmation."),
    ],
  }
}

const reset = (user: UserRow | undefined, at: Surroundings) =>
  withResetCode(user, at, {
    subject: `Reset your password for ${at.board}`,
    why: `Someone (probably you) asked to reset the password of your account at ${at.board}.`,
  })

/**
 * Tells somebody who tried to register that they have an account. No link in it confirms the address: an account that
 * isn't confirmed yet may have been made by somebody else, with a password of theirs. A new password ends that one.
 */
const registered = (user: UserRow | undefined, at: Surroundings) =>
  withResetCode(user, at, {
    subject: `You already have an account at ${at.board}`,
    why: `Someone (probably you) tried to create an account at ${at.board} with this address, but there already is one. Sign in with its password, or reset it.`,
  })

function withResetCode(
  user: UserRow | undefined,
  at: Surroundings,
  { subject, why }: { subject: string; why: string },
): Draft | undefined {
  const token = user && issueLimited('reset', user, at)
  if (!token) return undefined
  const url = at.links.to(`/password-resets/${token}.json`)
  return {
    to: user.email,
    subject,
    parts: [
      words(why),
      words('This is your reset code. It is valid for 24 hours and works once:'),
      code(token),
      words('To set a new password from a terminal:'),
      code(`curl -X PUT ${url} \\\n  --data-urlencode 'password=YOUR NEW PASSWORD'`),
      words("If this wasn't you, ignore this e-mail: your password stays the same."),
    ],
  }
}

function digest(
  subscriber: SubscriberRow | undefined,
  { since, until }: Letter & { kind: 'digest' },
  at: Surroundings,
): Draft | undefined {
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
      words(`New at ${at.board} since our last e-mail:`),
      items(jobs.slice(0, JOBS_IN_DIGEST).flatMap(({ id }) => itemsOf(id, at))),
      ...(more > 0 ? [words(`… and ${more} more: ${at.links.to(at.pages ? '/' : '/jobs.json')}`)] : []),
      link('Unsubscribe', unsubscribe),
    ],
  }
}

function waiting(admin: UserRow | undefined, job: JobRow | undefined, at: Surroundings): Draft | undefined {
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
      words(`${owner?.email ?? 'Someone'} ${deed} a job at ${at.board}. It is awaiting your approval:`),
      items([itemOf(job, at)]),
      words('To read it, to approve it, or to refuse it by deleting it:'),
      code(`${curl} ${url}\n${curl} -X PUT ${approval}\n${curl} -X DELETE ${url}`),
    ],
  }
}

function approved(owner: UserRow | undefined, job: JobRow | undefined, at: Surroundings): Draft | undefined {
  if (!owner || !job || statusOf(job, at.now) !== 'active') return undefined
  return {
    to: owner.email,
    subject: `Your job is online: ${job.title}`,
    parts: [words(`Your job was approved. It is now online at ${at.board}:`), items([itemOf(job, at)])],
  }
}

const refused = (owner: UserRow | undefined, title: string, at: Surroundings): Draft | undefined =>
  owner && {
    to: owner.email,
    subject: `Your job was not approved: ${title}`,
    parts: [words(`An administrator of ${at.board} did not approve your job "${title}" and deleted it.`)],
  }

const confirmation = (what: 'subscribers' | 'users', token: string, { links }: Surroundings) =>
  links.to(`/${what}/confirm.json?token=${token}`)

const isWithin = (moment: number | null, since: number, until: number) =>
  moment !== null && moment >= since && moment < until

/** The line of a job, if it is there still. */
function itemsOf(id: number, at: Surroundings): Item[] {
  const job = at.tables.jobs.get(id)
  return job ? [itemOf(job, at)] : []
}

const WORKPLACES = { remote: 'Remote', onsite: 'On-site', hybrid: 'Hybrid' }

const itemOf = ({ id, title, company, location, arrangement }: JobRow, at: Surroundings): Item => ({
  title,
  about: `${company}, ${location} (${WORKPLACES[arrangement]})`,
  url: at.pages ? at.links.to(`/jobs/${id}`) : at.links.job(id),
})
