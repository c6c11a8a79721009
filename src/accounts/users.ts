import type { Role } from '../base/caller.ts'
import { type Clock, floorToSecond } from '../base/clock.ts'
import { invalid, Problem } from '../base/problem.ts'
import { getOrThrow } from '../store/lookup.ts'
import { differs, type UserRow } from '../store/rows.ts'
import type { TableReaders, Tables } from '../store/tables.ts'
import { revokeTokens } from './tokens.ts'

export const EMAIL_TAKEN = 'is already the address of an account'

/** The data of a new account, with a hashed password. */
interface NewAccount {
  readonly email: string
  readonly passwordHash: string
  readonly role: Role
  /** False if the address still has to be confirmed by mail. */
  readonly confirmed?: boolean
}

/** The changes to an account. */
export type AccountPatch = Partial<NewAccount>

export const findUser = (tables: TableReaders, email: string): UserRow | undefined =>
  tables.users.findBy('email', email)

export const hasAdmin = (tables: TableReaders) => tables.users.all().some(user => user.role === 'admin')

/**
 * Creates an account.
 * @throws Problem 'invalid' if the address belongs to an account
 */
export function addUser(tables: Tables, clock: Clock, account: NewAccount): UserRow {
  requireFreeEmail(tables, account.email)
  const now = floorToSecond(clock())
  return tables.users.insert({ confirmed: true, ...account, epoch: 1, createdAt: now, updatedAt: now })
}

/**
 * Changes an account. A new address, password or role invalidates the credentials that were verified before. A new
 * address or password also revokes the tokens that were mailed for the old one.
 * @throws Problem 'notFound', 'invalid' if the address belongs to another account, 'conflict' if no administrator would be left
 */
export function changeUser(tables: Tables, clock: Clock, id: number, patch: AccountPatch): UserRow {
  const user = getOrThrow(tables.users, id, 'user')
  const { email = user.email, role = user.role, passwordHash } = patch
  const hasNewEmail = email !== user.email
  if (hasNewEmail) requireFreeEmail(tables, email)
  if (role === 'user') requireAnotherAdmin(tables, user)
  if (!differs(user, patch)) return user
  const hasNewCredentials = passwordHash !== undefined || hasNewEmail || role !== user.role
  const now = clock()
  if (hasNewEmail) revokeTokens(tables, ['account', 'reset', 'signIn'], id, now)
  else if (passwordHash !== undefined) revokeTokens(tables, ['reset', 'signIn'], id, now)
  const epoch = user.epoch + (hasNewCredentials ? 1 : 0)
  return tables.users.update(user, { ...patch, epoch, updatedAt: floorToSecond(now) })
}

/**
 * Removes an account. Its jobs stay, without an owner.
 * @throws Problem 'notFound', 'conflict' if it is the last administrator
 */
export function removeUser(tables: Tables, id: number): UserRow {
  const user = getOrThrow(tables.users, id, 'user')
  requireAnotherAdmin(tables, user)
  tables.users.remove(id)
  // The queue has the addresses of some mails.
  for (const mail of tables.mails.all())
    if ('email' in mail.content && mail.content.email === user.email) tables.mails.remove(mail.id)
  return user
}

function requireFreeEmail(tables: Tables, email: string) {
  if (tables.users.findIdBy('email', email) !== undefined) throw invalid({ email: [EMAIL_TAKEN] })
}

function requireAnotherAdmin(tables: Tables, user: UserRow) {
  if (user.role !== 'admin') return
  const another = tables.users.all().some(other => other.role === 'admin' && other.id !== user.id)
  if (!another) throw new Problem('conflict', 'This is the last administrator. Add another one first.')
}
