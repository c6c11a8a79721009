import { domainToASCII } from 'node:url'
import { issueToken, tokensOf } from '../accounts/tokens.ts'
import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import type { TokenPurpose, TokenRow } from '../store/rows.ts'
import type { TableReaders, Tables } from '../store/tables.ts'

/** Mails that anybody can have sent to any address. */
type Requestable = Exclude<TokenPurpose, 'unsubscription'>

/**
 * For each purpose, how many mails one mailbox gets within a day, and how many one account or subscriber. What is beyond
 * is left out: the links of the mails before it still work.
 */
const PER_MAILBOX = 5
/**
 * For each purpose, how many mails all mailboxes of one domain get within an hour. Few boards ever have a hundred new
 * readers an hour at even the largest provider, and a domain that takes mail for every name is not flooded. What is
 * beyond isn't lost: it waits for its turn, for up to a day.
 */
const PER_DOMAIN = 100
const LONGEST_WAIT = DAY
const TRIED_AGAIN_AFTER = 10 * MINUTE

/** How many tokens are read at a time to restore the counts. */
const SLICE = 100

/** A mail has to wait until its domain gets fewer mails. This is no failure. */
export class PostponedMail extends Error {
  constructor(readonly until: number) {
    super('many mails went to this domain within the last hour')
    this.name = 'Postponed'
  }
}

/** What is known of a mail that asks for something in somebody's name. */
export interface LinkRequest {
  readonly tables: Tables
  readonly limits: LinkLimits
  readonly now: number
  /** When the mail was queued. */
  readonly queuedAt: number
  /** Whether it is the first attempt to send the mail: later ones were counted then. */
  readonly isFirst: boolean
}

/**
 * Limits how many mails strangers can have sent to a mailbox or a domain. The counts are in memory. After a restart they
 * are taken from the tokens in the store, of which every such mail has one.
 */
export class LinkLimits {
  /** When the newest mails were sent, the oldest first, by purpose and mailbox or domain. */
  private readonly sentAt = new Map<string, number[]>()

  constructor(tables: TableReaders, now: number) {
    for (const { purpose, email, createdAt } of recentRequests(tables, now - DAY).toReversed())
      this.count(purpose, email, createdAt)
  }

  /**
   * Counts one more mail to an address, unless its mailbox got enough.
   * @returns whether the mail may be sent
   * @throws Postponed if it has to wait
   */
  admit(
    purpose: Requestable,
    email: string,
    { now, queuedAt }: Pick<LinkRequest, 'now' | 'queuedAt'>,
  ): boolean {
    const { mailbox, domain } = recipientOf(email)
    if (this.isFull(`${purpose} ${mailbox}`, PER_MAILBOX, now - DAY, now)) return false
    if (this.isFull(`${purpose} ${domain}`, PER_DOMAIN, now - HOUR, now)) {
      if (now >= queuedAt + LONGEST_WAIT) return false
      throw new PostponedMail(now + TRIED_AGAIN_AFTER)
    }
    this.count(purpose, email, now)
    return true
  }

  /** Forgets what no longer counts. */
  prune(now: number): void {
    for (const [key, times] of this.sentAt) if ((times.at(-1) ?? 0) <= now - DAY) this.sentAt.delete(key)
  }

  private count(purpose: Requestable, email: string, time: number) {
    const { mailbox, domain } = recipientOf(email)
    this.add(`${purpose} ${mailbox}`, PER_MAILBOX, time)
    this.add(`${purpose} ${domain}`, PER_DOMAIN, time)
  }

  private add(key: string, most: number, time: number) {
    this.sentAt.set(key, [...(this.sentAt.get(key) ?? []), time].slice(-most))
  }

  private isFull(key: string, most: number, since: number, now: number): boolean {
    // a moment ahead of now dates from before the clock was set back
    const recent = this.sentAt.get(key)?.filter(time => time > since && time <= now) ?? []
    return recent.length >= most
  }
}

/** Issues the token of a link that was asked for; undefined if the mail is to be left out. */
export function issueLimited(
  purpose: Requestable,
  { id, email }: { readonly id: number; readonly email: string },
  request: LinkRequest,
): string | undefined {
  const { tables, limits, now, isFirst } = request
  if (isFirst) {
    // an account that changes its address again and again must not mail a stranger each time
    const recent = tokensOf(tables, [purpose], id).filter(
      ({ createdAt }) => createdAt > now - DAY && createdAt <= now,
    )
    if (recent.length >= PER_MAILBOX || !limits.admit(purpose, email, request)) return undefined
  }
  return issueToken(tables, purpose, id, now)
}

const GMAIL = 'gmail.com'
const GMAIL_DOMAINS = new Set([GMAIL, 'googlemail.com'])

/** Where mail to an address arrives, as far as its form tells: `a.b+tag@googlemail.com` is `ab@gmail.com`. */
export function recipientOf(email: string): { mailbox: string; domain: string } {
  const at = email.lastIndexOf('@')
  const named = email.slice(at + 1)
  const ascii = domainToASCII(named) || named
  const domain = GMAIL_DOMAINS.has(ascii) ? GMAIL : ascii
  const local = email.slice(0, at).normalize('NFKC')
  const untagged = local.replace(/(?<=.)\+.*$/, '')
  const name = domain === GMAIL ? untagged.replaceAll('.', '') : untagged
  return { mailbox: `${name}@${domain}`, domain }
}

interface PastRequest {
  readonly purpose: Requestable
  readonly email: string
  readonly createdAt: number
}

/** What was mailed since a moment, the newest first. */
function recentRequests(tables: TableReaders, since: number): PastRequest[] {
  const requests: PastRequest[] = []
  for (const slice of tables.tokens.batches(SLICE, true)) {
    for (const token of slice) {
      const { purpose, createdAt } = token
      const email = emailOf(token, tables)
      if (createdAt > since && purpose !== 'unsubscription' && email !== undefined)
        requests.push({ purpose, email, createdAt })
    }
    if ((slice.at(-1)?.createdAt ?? 0) <= since) break
  }
  return requests
}

function emailOf({ subscriberId, userId }: TokenRow, tables: TableReaders): string | undefined {
  if (subscriberId !== null) return tables.subscribers.get(subscriberId)?.email
  return userId === null ? undefined : tables.users.get(userId)?.email
}
