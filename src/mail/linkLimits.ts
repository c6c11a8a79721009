import { domainToASCII } from 'node:url'
import { issueToken, tokensOf } from '../accounts/tokens.ts'
import { type Clock, DAY, HOUR, MINUTE } from '../base/clock.ts'
import { SlidingWindow } from '../base/slidingWindow.ts'
import type { TableReaders, Tables } from '../store/tables.ts'
import type { TokenPurpose, TokenRow } from '../store/tokenRows.ts'

/** The purposes for which anyone can request a mail to any address. */
type RequestablePurpose = Exclude<TokenPurpose, 'unsubscription'>

/**
 * The mails that a mailbox, an account or a subscriber can get in a day for each purpose. Further mails are not sent: the
 * links in the earlier ones still work.
 */
const MAX_PER_MAILBOX = 5
/**
 * The mails that all mailboxes of a domain can get in an hour for each purpose, so that a domain that accepts mail for
 * every name is not flooded. Few boards get a hundred new readers an hour, even at the largest provider. Further mails are
 * postponed, for up to a day.
 */
const MAX_PER_DOMAIN = 100
const MAX_POSTPONEMENT = DAY
const RETRY_INTERVAL = 10 * MINUTE

const MAX_MAILBOXES = 50_000

/** The number of tokens that are read at a time to restore the counts. */
const BATCH = 100

/** Thrown when a mail has to wait because its domain got many mails. It doesn't count as a failure. */
export class PostponedMail extends Error {
  constructor(readonly until: number) {
    super('many mails went to this domain within the last hour')
    this.name = 'PostponedMail'
  }
}

/** A request for a mail with a link. The address may be another person's. */
export interface LinkRequest {
  readonly tables: Tables
  readonly limits: LinkLimits
  readonly now: number
  /** When the mail was queued. */
  readonly queuedAt: number
  /** Whether this is the first attempt to send the mail. Later attempts are not counted again. */
  readonly isFirst: boolean
}

/**
 * Limits the mails that strangers can request to a mailbox or a domain. The counts are in memory. After a restart they
 * are restored from the tokens in the store: every such mail has one.
 */
export class LinkLimits {
  private readonly mailboxes: SlidingWindow
  private readonly domains: SlidingWindow

  constructor(tables: TableReaders, clock: Clock) {
    this.mailboxes = new SlidingWindow(clock, DAY, MAX_MAILBOXES)
    this.domains = new SlidingWindow(clock, HOUR)
    for (const { purpose, email, createdAt } of recentRequests(tables, clock() - DAY).toReversed())
      this.count(purpose, email, createdAt)
  }

  /**
   * Counts a mail to an address, unless its mailbox got too many.
   * @returns whether the mail may be sent
   * @throws PostponedMail if it has to wait
   */
  admit(
    purpose: RequestablePurpose,
    email: string,
    { now, queuedAt }: Pick<LinkRequest, 'now' | 'queuedAt'>,
  ): boolean {
    const { mailbox, domain } = recipientOf(email)
    if (this.mailboxes.wait(`${purpose} ${mailbox}`, MAX_PER_MAILBOX) > 0) return false
    if (this.domains.wait(`${purpose} ${domain}`, MAX_PER_DOMAIN) > 0) {
      if (now >= queuedAt + MAX_POSTPONEMENT) return false
      throw new PostponedMail(now + RETRY_INTERVAL)
    }
    this.count(purpose, email, now)
    return true
  }

  private count(purpose: RequestablePurpose, email: string, moment: number) {
    const { mailbox, domain } = recipientOf(email)
    this.mailboxes.add(`${purpose} ${mailbox}`, moment)
    this.domains.add(`${purpose} ${domain}`, moment)
  }
}

/** Issues the token of a requested link. Returns undefined if the mail must not be sent. */
export function issueLimited(
  purpose: RequestablePurpose,
  { id, email }: { readonly id: number; readonly email: string },
  request: LinkRequest,
): string | undefined {
  const { tables, limits, now, isFirst } = request
  if (isFirst) {
    // Otherwise an account could mail many strangers by changing its address again and again.
    const recent = tokensOf(tables, [purpose], id).filter(
      ({ createdAt }) => createdAt > now - DAY && createdAt <= now,
    )
    if (recent.length >= MAX_PER_MAILBOX || !limits.admit(purpose, email, request)) return undefined
  }
  return issueToken(tables, purpose, id, now)
}

const GMAIL = 'gmail.com'
const GMAIL_DOMAINS = new Set([GMAIL, 'googlemail.com'])

/** Returns the mailbox of an address, judging by its form: `a.b+tag@googlemail.com` reaches `ab@gmail.com`. */
export function recipientOf(email: string): { mailbox: string; domain: string } {
  const at = email.lastIndexOf('@')
  const given = email.slice(at + 1)
  const ascii = domainToASCII(given) || given
  const domain = GMAIL_DOMAINS.has(ascii) ? GMAIL : ascii
  const local = email.slice(0, at).normalize('NFKC')
  const untagged = local.replace(/(?<=.)\+.*$/, '')
  const name = domain === GMAIL ? untagged.replaceAll('.', '') : untagged
  return { mailbox: `${name}@${domain}`, domain }
}

interface PastRequest {
  readonly purpose: RequestablePurpose
  readonly email: string
  readonly createdAt: number
}

/** Returns the links that were mailed since a moment, the newest first. */
function recentRequests(tables: TableReaders, since: number): PastRequest[] {
  const requests: PastRequest[] = []
  for (const batch of tables.tokens.batches(BATCH, true)) {
    for (const token of batch) {
      const { purpose, createdAt } = token
      const email = emailOf(token, tables)
      if (createdAt > since && purpose !== 'unsubscription' && email !== undefined)
        requests.push({ purpose, email, createdAt })
    }
    if ((batch.at(-1)?.createdAt ?? 0) <= since) break
  }
  return requests
}

function emailOf({ subscriberId, userId, jobId }: TokenRow, tables: TableReaders): string | undefined {
  if (jobId !== null) return tables.jobs.get(jobId)?.claimEmail ?? undefined
  if (subscriberId !== null) return tables.subscribers.get(subscriberId)?.email
  return userId === null ? undefined : tables.users.get(userId)?.email
}
