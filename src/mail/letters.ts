import { issueToken, tokensOf } from '../accounts/tokens.ts'
import { findUser } from '../accounts/users.ts'
import { DAY } from '../base/clock.ts'
import type { Links } from '../http/links.ts'
import type { Listing } from '../search/listing.ts'
import type { JobRow, Letter, Purpose, SubscriberRow, UserRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { code, type Item, items, link, type Message, words } from './message.ts'

/** What a mail consists of, apart from what all have. */
export type Draft = Omit<Message, 'id'>

/** What letters speak of. */
export interface Surroundings {
  readonly tables: Tables
  readonly links: Links
  readonly listing: Listing
  /** The board's name. */
  readonly board: string
  readonly now: number
  /** Whether it is the first attempt to send the mail. */
  readonly isFirst: boolean
}

/** Whoever asks in the name of others shall not fill their mailbox. */
const LINKS_PER_DAY = 5
const JOBS_IN_DIGEST = 50

type Writers = {
  readonly [K in Letter['kind']]: (letter: Letter & { kind: K }, at: Surroundings) => Draft | undefined
}

const WRITERS: Writers = {
  subscription: ({ subscriberId }, at) => subscription(at.tables.subscribers.get(subscriberId), at),
  digest: (letter, at) => digest(at.tables.subscribers.get(letter.subscriberId), letter, at),
  account: ({ userId }, at) => account(at.tables.users.get(userId), at),
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
  const token = subscriber && !subscriber.confirmed && issueLimited('subscription', subscriber.id, at)
  if (!token) return undefined
  return {
    to: subscriber.email,
    subject: `Please confirm: new jobs from ${at.board} by mail`,
    parts: [
      words(`Somebody, most likely you, asked ${at.board} to mail new jobs to this address.`),
      link('Yes, send me new jobs', confirmation('subscribers', token, at)),
      words('The link holds for 7 days. If you did not ask for this, do nothing: no more mail will come.'),
    ],
  }
}

function account(user: UserRow | undefined, at: Surroundings): Draft | undefined {
  const token = user && !user.confirmed && issueLimited('account', user.id, at)
  if (!token) return undefined
  return {
    to: user.email,
    subject: `Please confirm your account at ${at.board}`,
    parts: [
      words(`Somebody, most likely you, gave this address for an account at ${at.board}.`),
      link('Confirm my address', confirmation('users', token, at)),
      words('The link holds for 7 days; jobs can be posted once it was used.'),
      words('If this was not you, do not use the link: without it the account can do nothing in your name.'),
    ],
  }
}

function reset(user: UserRow | undefined, at: Surroundings): Draft | undefined {
  const token = user && issueLimited('reset', user.id, at)
  if (!token) return undefined
  const url = at.links.to(`/password-resets/${token}.json`)
  return {
    to: user.email,
    subject: `A new password for your account at ${at.board}`,
    parts: [
      words(`Somebody, most likely you, asked for a new password for your account at ${at.board}.`),
      words('Where the board asks for a code, it is this one. It holds for a day, and once:'),
      code(token),
      words('From a terminal, the new password is set like this:'),
      code(`curl -X PUT ${url} \\\n  --data-urlencode 'password=YOUR NEW PASSWORD'`),
      words('If you did not ask for this, do nothing: your password stays as it is.'),
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
      words(`New at ${at.board} since the last mail:`),
      items(jobs.slice(0, JOBS_IN_DIGEST).flatMap(({ id }) => itemsOf(id, at))),
      ...(more > 0 ? [words(`… and ${more} more: ${at.links.to('/jobs.json')}`)] : []),
      link('No more of these mails', unsubscribe),
    ],
  }
}

function waiting(admin: UserRow | undefined, job: JobRow | undefined, at: Surroundings): Draft | undefined {
  if (admin?.role !== 'admin' || !job?.pending) return undefined
  const url = at.links.job(job.id)
  const approval = at.links.to(`/jobs/${job.id}/approve.json`)
  const owner = job.userId === null ? undefined : at.tables.users.get(job.userId)
  return {
    to: admin.email,
    subject: `A job waits for your approval: ${job.title}`,
    parts: [
      words(`${owner?.email ?? 'Somebody'} posted a job at ${at.board} that waits for your approval:`),
      items([itemOf(job, at.links)]),
      words('To approve it, or to refuse it by deleting it:'),
      code(`curl -u ${admin.email} -X PUT ${approval}\ncurl -u ${admin.email} -X DELETE ${url}`),
    ],
  }
}

function approved(owner: UserRow | undefined, job: JobRow | undefined, at: Surroundings): Draft | undefined {
  if (!owner || !job || job.pending) return undefined
  return {
    to: owner.email,
    subject: `Your job is on the board: ${job.title}`,
    parts: [words(`Your job was approved, and is shown at ${at.board} now:`), items([itemOf(job, at.links)])],
  }
}

const refused = (owner: UserRow | undefined, title: string, at: Surroundings): Draft | undefined =>
  owner && {
    to: owner.email,
    subject: `Your job was not approved: ${title}`,
    parts: [
      words(`Your job "${title}" at ${at.board} was not approved, and was deleted by an administrator.`),
    ],
  }

/** A new token; none if as many as are good for a day were issued, unless the mail was tried before. */
function issueLimited(purpose: Purpose, id: number, { tables, now, isFirst }: Surroundings) {
  const recent = tokensOf(tables, [purpose], id).filter(({ createdAt }) => createdAt > now - DAY)
  if (isFirst && recent.length >= LINKS_PER_DAY) return undefined
  return issueToken(tables, purpose, id, now)
}

const confirmation = (what: 'subscribers' | 'users', token: string, { links }: Surroundings) =>
  links.to(`/${what}/confirm.json?token=${token}`)

const isWithin = (moment: number | null, since: number, until: number) =>
  moment !== null && moment >= since && moment < until

/** The line of a job, if it is there still. */
function itemsOf(id: number, { tables, links }: Surroundings): Item[] {
  const job = tables.jobs.get(id)
  return job ? [itemOf(job, links)] : []
}

const itemOf = ({ id, title, company, location, arrangement }: JobRow, links: Links): Item => ({
  title,
  about: `${company}, ${location} (${arrangement})`,
  url: links.job(id),
})
