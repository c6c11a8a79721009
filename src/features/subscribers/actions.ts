import { endTokens, holderOf } from '../../accounts/tokens.ts'
import { writeAs } from '../../accounts/writeAs.ts'
import { type Caller, nobody } from '../../base/caller.ts'
import { check, checkPatch, type Sent } from '../../base/check.ts'
import { wholeSeconds } from '../../base/clock.ts'
import { missing, Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { differs, type SubscriberRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { refuseTaken } from '../../store/unique.ts'
import { NewSubscriber, SubscriberFields } from './schema.ts'

/** @throws Problem 'missing' */
export function getSubscriber(tables: TableReaders, id: number): SubscriberRow {
  const subscriber = tables.subscribers.get(id)
  if (!subscriber) throw missing('subscriber')
  return subscriber
}

/**
 * Takes note of an address that wants mail, and has it asked whether that is so. Whether the address was known shows
 * neither in the answer nor in the time: there is one write for all, and the mail finds out what to say.
 */
export async function subscribe({ store, clock, mail }: Board, sent: Sent): Promise<void> {
  const { email } = check(NewSubscriber, sent).settle()
  await writeAs(store, nobody, tables => {
    const now = wholeSeconds(clock())
    const known = tables.subscribers.find('email', email)
    const { id } = known
      ? // one who isn't confirmed and asks again gets another 30 days for it
        tables.subscribers.change(known, known.confirmed ? {} : { updatedAt: now })
      : tables.subscribers.add({
          email,
          confirmed: false,
          createdAt: now,
          updatedAt: now,
          digestedUntil: now,
        })
    mail.outbox.post(tables, { kind: 'subscription', subscriberId: id })
  })
}

/** @throws Problem 'missing' if the token does not do this, or no more */
export function subscriberOfToken(
  { store, clock }: Board,
  purpose: keyof typeof STALE,
  token: string,
  tables: TableReaders = store.read,
): SubscriberRow {
  const id = holderOf(tables, purpose, token, clock())
  const subscriber = id === undefined ? undefined : tables.subscribers.get(id)
  if (!subscriber) throw new Problem('missing', STALE[purpose])
  return subscriber
}

const STALE = {
  subscription: 'This link is wrong, or too old. Please sign up again to get another.',
  unsubscription:
    'This link is wrong, or too old, or was used already. The newest mail from this board has one that works.',
}

/** Confirms the address whose mail held the token; again: the same. */
export function confirmSubscriber(board: Board, token: string): Promise<SubscriberRow> {
  return writeAs(board.store, nobody, tables => {
    const subscriber = subscriberOfToken(board, 'subscription', token, tables)
    if (subscriber.confirmed) return subscriber
    return tables.subscribers.change(subscriber, beginning(wholeSeconds(board.clock())))
  })
}

/** Erases the subscriber whose mail held the token. */
export function unsubscribe(board: Board, token: string): Promise<SubscriberRow> {
  return writeAs(board.store, nobody, tables => {
    const subscriber = subscriberOfToken(board, 'unsubscription', token, tables)
    tables.subscribers.remove(subscriber.id)
    return subscriber
  })
}

/** One who is confirmed hears of what appears from then on. */
const beginning = (now: number) => ({ confirmed: true, digestedUntil: now, updatedAt: now })

/**
 * Changes a subscriber. What was mailed to another address does nothing any more, and the new one is asked to confirm
 * unless the administrator vouches for it in the same request.
 */
export async function updateSubscriber(
  board: Board,
  caller: Caller,
  id: number,
  sent: Sent,
): Promise<SubscriberRow> {
  const draft = checkPatch(SubscriberFields, sent)
  return await writeAs(board.store, caller, tables => {
    const subscriber = getSubscriber(tables, id)
    refuseTaken(tables.subscribers, 'email', draft, 'is already the address of a subscriber', id)
    const { email = subscriber.email, email_confirmed: vouched } = draft.settle()
    const moves = email !== subscriber.email
    const confirmed = vouched ?? (subscriber.confirmed && !moves)
    if (!differs(subscriber, { email, confirmed })) return subscriber
    const now = wholeSeconds(board.clock())
    if (moves) endTokens(tables, ['subscription', 'unsubscription'], id, now)
    if (moves && !confirmed) board.mail.outbox.post(tables, { kind: 'subscription', subscriberId: id })
    const begins = confirmed && !subscriber.confirmed ? beginning(now) : {}
    return tables.subscribers.change(subscriber, { email, confirmed, updatedAt: now, ...begins })
  })
}

/** Erases a subscriber. */
export function removeSubscriber({ store }: Board, caller: Caller, id: number): Promise<SubscriberRow> {
  return writeAs(store, caller, tables => {
    const subscriber = getSubscriber(tables, id)
    tables.subscribers.remove(id)
    return subscriber
  })
}
