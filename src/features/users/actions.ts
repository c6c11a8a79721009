import type { Static } from '@sinclair/typebox'
import { findTokenHolder } from '../../accounts/tokens.ts'
import { addUser, changeUser, EMAIL_TAKEN, findUser, removeUser } from '../../accounts/users.ts'
import { requireUnchanged, writeAs } from '../../accounts/writeAs.ts'
import { ANONYMOUS, type Caller, isAdmin } from '../../base/caller.ts'
import { forbidden, Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { getOrThrow, validateUnique } from '../../store/lookup.ts'
import type { UserRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { type Fields, validate, type Validation } from '../../validation/validation.ts'
import { RegistrationFields, type UserFields, type UserPatch } from './schema.ts'

/**
 * Returns an account that the caller may see: their own, or any if they are an administrator.
 * @throws Problem 'forbidden', 'notFound'
 */
export function getUser({ store }: Board, caller: Caller, id: number | undefined): UserRow {
  if (id === undefined || (caller.userId !== id && !isAdmin(caller))) throw forbidden()
  return getOrThrow(store.read.users, id, 'user')
}

/** Creates an account for an administrator, with any role. Its address counts as confirmed. */
export async function createUser(
  board: Board,
  { caller, clientAddress }: RequestContext,
  input: Validation<Static<typeof UserFields>>,
): Promise<UserRow> {
  const { store, accounts, clock } = board
  validateUnique(store.read.users, 'email', input, undefined, EMAIL_TAKEN)
  const { email, password, role } = input.valueOrThrow()
  const passwordHash = await accounts.passwords.hash(password, {
    address: clientAddress,
    userId: caller.userId,
  })
  return await writeAs(store, caller, tables => addUser(tables, clock, { email, role, passwordHash }))
}

/**
 * Registers an account, and sends a link to confirm its address. Neither the response nor its time shows whether the
 * address already had an account: the password is hashed and a mail is stored either way. Only the mail differs.
 */
export async function registerUser(
  board: Board,
  { clientAddress }: RequestContext,
  fields: Fields,
): Promise<void> {
  const { store, accounts, clock, mail } = board
  const { email, password } = validate(RegistrationFields, fields).valueOrThrow()
  const passwordHash = await accounts.passwords.hash(password, {
    address: clientAddress,
    userId: undefined,
  })
  await writeAs(store, ANONYMOUS, tables => {
    const known = findUser(tables, email)
    const account = { email, role: 'user', passwordHash, confirmed: false } as const
    const { id } = known ?? addUser(tables, clock, account)
    mail.outbox.enqueue(tables, { kind: known ? 'registered' : 'account', userId: id })
  })
}

/** Returns the account of a confirmation token. @throws Problem 'notFound' if the token is invalid or has expired */
export function userOfToken(
  { store, clock }: Board,
  token: string,
  tables: TableReaders = store.read,
): UserRow {
  const id = findTokenHolder(tables, 'account', token, clock())
  const user = id === undefined ? undefined : tables.users.get(id)
  if (!user) throw new Problem('notFound', STALE)
  return user
}

const STALE = 'This link is invalid or has expired. A password reset confirms your address too.'

/** Confirms the address that a token was sent to. Doing it again changes nothing. */
export function confirmUser(board: Board, token: string): Promise<UserRow> {
  return writeAs(board.store, ANONYMOUS, tables => {
    const user = userOfToken(board, token, tables)
    return user.confirmed ? user : changeUser(tables, board.clock, user.id, { confirmed: true })
  })
}

/**
 * Updates an account. Only administrators may change a role or confirm an address. A new address counts as confirmed if an
 * administrator sends it. If the user sends it and registration is open, it must be confirmed with a link.
 */
export async function updateUser(
  board: Board,
  { caller, clientAddress }: RequestContext,
  id: number,
  input: Validation<Partial<Static<typeof UserPatch>>>,
): Promise<UserRow> {
  const { store, accounts, clock, mail, config } = board
  // If the caller's own account was removed in the meantime, the status is 401 and not 404.
  requireUnchanged(store.read, caller)
  const user = getUser(board, caller, id)
  validateUnique(store.read.users, 'email', input, id, EMAIL_TAKEN)
  const { role = user.role, email_confirmed: hasConfirmed = user.confirmed } = input.values
  if ((role !== user.role || hasConfirmed !== user.confirmed) && !isAdmin(caller)) throw forbidden()
  const { password, email_confirmed: chosen, ...columns } = input.valueOrThrow()
  const requester = { address: clientAddress, userId: caller.userId }
  const passwordHash = password === undefined ? undefined : await accounts.passwords.hash(password, requester)
  const patch = { ...columns, ...(passwordHash !== undefined && { passwordHash }) }
  return await writeAs(store, caller, tables => {
    const hasNewEmail = patch.email !== undefined && patch.email !== tables.users.get(id)?.email
    const byDefault = isAdmin(caller) || (config.registration === 'open' ? false : undefined)
    const confirmed = (isAdmin(caller) ? chosen : undefined) ?? (hasNewEmail ? byDefault : undefined)
    if (hasNewEmail && confirmed === false) mail.outbox.enqueue(tables, { kind: 'account', userId: id })
    return changeUser(tables, clock, id, { ...patch, ...(confirmed !== undefined && { confirmed }) })
  })
}

/** Deletes an account. Its jobs stay, without an owner. */
export const deleteUser = ({ store }: Board, caller: Caller, id: number): Promise<UserRow> =>
  writeAs(store, caller, tables => removeUser(tables, id))
