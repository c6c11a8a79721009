import type { Static } from '@sinclair/typebox'
import { findTokenHolder, revokeTokens } from '../../accounts/tokens.ts'
import { writeAs } from '../../accounts/writeAs.ts'
import { ANONYMOUS, type Caller, isAdmin } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import { forbidden, Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { getOrThrow, validateUnique } from '../../store/lookup.ts'
import { differs, type SubscriberRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import type { Validation } from '../../validation/validation.ts'
import type { NewSubscriber, SubscriberFields } from './schema.ts'

/**
 * Stores an address for job alerts, and sends it a confirmation link unless an administrator confirms it. Neither the
 * response nor its time shows whether the address was known: there is one write in any case, and the mail's template
 * decides what to send.
 */
export async function subscribe(
  { store, clock, mail }: Board,
  caller: Caller,
  input: Validation<Static<typeof NewSubscriber>>,
): Promise<void> {
  const { email, email_confirmed: isConfirmed = false } = input.valueOrThrow()
  if (isConfirmed && !isAdmin(caller)) throw forbidden()
  await writeAs(store, isConfirmed ? caller : ANONYMOUS, tables => {
    const now = floorToSecond(clock())
    const known = tables.subscribers.findBy('email', email)
    // An unconfirmed address that subscribes again has another 30 days to confirm.
    const change = isConfirmed ? confirmation(now) : { updatedAt: now }
    const added = { email, confirmed: isConfirmed, createdAt: now, updatedAt: now, digestedUntil: now }
    const { id } = known
      ? tables.subscribers.update(known, known.confirmed ? {} : change)
      : tables.subscribers.insert(added)
    if (!isConfirmed) mail.outbox.enqueue(tables, { kind: 'subscription', subscriberId: id })
  })
}

/** Returns the subscriber of a token. @throws Problem 'notFound' if it is invalid, expired or for another purpose */
export function subscriberOfToken(
  { store, clock }: Board,
  purpose: keyof typeof STALE,
  token: string,
  tables: TableReaders = store.read,
): SubscriberRow {
  const id = findTokenHolder(tables, purpose, token, clock())
  const subscriber = id === undefined ? undefined : tables.subscribers.get(id)
  if (!subscriber) throw new Problem('notFound', STALE[purpose])
  return subscriber
}

const STALE = {
  subscription: 'This link is invalid or has expired. Subscribe again to get a new one.',
  unsubscription:
    'This link is invalid or has expired. The newest e-mail from this board has one that works.',
}

/** Confirms the address that a token was sent to. Doing it again changes nothing. */
export function confirmSubscriber(board: Board, token: string): Promise<SubscriberRow> {
  return writeAs(board.store, ANONYMOUS, tables => {
    const subscriber = subscriberOfToken(board, 'subscription', token, tables)
    if (subscriber.confirmed) return subscriber
    return tables.subscribers.update(subscriber, confirmation(floorToSecond(board.clock())))
  })
}

/** Deletes the subscriber that a token was sent to. */
export function unsubscribe(board: Board, token: string): Promise<SubscriberRow> {
  return writeAs(board.store, ANONYMOUS, tables => {
    const subscriber = subscriberOfToken(board, 'unsubscription', token, tables)
    tables.subscribers.remove(subscriber.id)
    return subscriber
  })
}

/** Returns the columns of a subscriber who is now confirmed and gets the jobs that are posted from now on. */
const confirmation = (now: number) => ({ confirmed: true, digestedUntil: now, updatedAt: now })

/**
 * Updates a subscriber. If the address changes, links in mails to the old one stop working, and the new one gets a
 * confirmation link unless the administrator confirms it in the same request.
 */
export const updateSubscriber = (
  board: Board,
  caller: Caller,
  id: number,
  input: Validation<Partial<Static<typeof SubscriberFields>>>,
): Promise<SubscriberRow> =>
  writeAs(board.store, caller, tables => {
    const subscriber = getOrThrow(tables.subscribers, id, 'subscriber')
    validateUnique(tables.subscribers, 'email', input, id, 'is already the address of a subscriber')
    const { email = subscriber.email, email_confirmed: isConfirmedByAdmin } = input.valueOrThrow()
    const isNewAddress = email !== subscriber.email
    const confirmed = isConfirmedByAdmin ?? (subscriber.confirmed && !isNewAddress)
    if (!differs(subscriber, { email, confirmed })) return subscriber
    const now = floorToSecond(board.clock())
    if (isNewAddress) revokeTokens(tables, ['subscription', 'unsubscription'], id, now)
    if (isNewAddress && !confirmed)
      board.mail.outbox.enqueue(tables, { kind: 'subscription', subscriberId: id })
    const newConfirmation = confirmed && !subscriber.confirmed ? confirmation(now) : {}
    return tables.subscribers.update(subscriber, { email, confirmed, updatedAt: now, ...newConfirmation })
  })

/** Deletes a subscriber. */
export function deleteSubscriber({ store }: Board, caller: Caller, id: number): Promise<SubscriberRow> {
  return writeAs(store, caller, tables => {
    const subscriber = getOrThrow(tables.subscribers, id, 'subscriber')
    tables.subscribers.remove(id)
    return subscriber
  })
}
