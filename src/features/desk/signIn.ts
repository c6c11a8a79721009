import { hashPassword } from '../../accounts/passwords.ts'
import { startSession } from '../../accounts/sessions.ts'
import { findTokenHolder, revokeTokens } from '../../accounts/tokens.ts'
import { changeUser } from '../../accounts/users.ts'
import { writeAs } from '../../accounts/writeAs.ts'
import { type Account, ANONYMOUS } from '../../base/caller.ts'
import { Problem, unauthenticated } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { type HiddenReply, seeOther } from '../../http/response/reply.ts'
import type { UserRow } from '../../store/rows.ts'
import type { TableReaders, Tables } from '../../store/tables.ts'
import { deviceOf } from './device.ts'

/** Signs a caller in whose credentials were just verified, and goes to a page. */
export const signIn = async (
  board: Board,
  context: RequestContext,
  account: Account,
  path: string,
): Promise<HiddenReply> => {
  const token = await writeAs(board.store, account, tables => {
    const user = tables.users.get(account.userId)
    if (!user) throw unauthenticated()
    return replaceSession(board, context, tables, user)
  })
  return withSession(board, token, path)
}

/** Starts a session in the browser of a request. Its former session ends, so that no token outlives a sign-in. */
export function replaceSession(
  { clock }: Board,
  { session, request }: RequestContext,
  tables: Tables,
  user: UserRow,
): string {
  if (session) tables.sessions.remove(session.id)
  return startSession(tables, user, deviceOf(request.headers.get('user-agent')), clock())
}

/** Goes to a page with the cookie of a new session. */
export const withSession = ({ accounts }: Board, token: string, path: string): HiddenReply =>
  seeOther(path, { 'set-cookie': accounts.sessionCookie.set(token) })

/** Queues a link to sign in. The mail's template finds out whether the address has an account. */
export const requestSignInLink = ({ store, mail }: Board, email: string): Promise<void> =>
  writeAs(store, ANONYMOUS, tables => mail.outbox.enqueue(tables, { kind: 'signIn', email }))

/** Returns the account of a link to sign in. @throws Problem 'notFound' if the link is invalid, used or has expired */
export function userOfSignInLink(
  { store, clock }: Board,
  token: string,
  tables: TableReaders = store.read,
): UserRow {
  const user = tables.users.get(findTokenHolder(tables, 'signIn', token, clock()) ?? null)
  if (!user) throw new Problem('notFound', 'This link is invalid, used or has expired. Request a new one.')
  return user
}

/** Signs in with a link, which then no longer works. */
export async function signInByLink(
  board: Board,
  context: RequestContext,
  token: string,
): Promise<HiddenReply> {
  const unknownPassword = await unknownPasswordHash()
  const session = await writeAs(board.store, ANONYMOUS, tables => {
    const user = userOfSignInLink(board, token, tables)
    revokeTokens(tables, ['signIn'], user.id, board.clock())
    return replaceSession(board, context, tables, confirmByMail(board, tables, user, unknownPassword))
  })
  return withSession(board, session, '/account')
}

/** Hashes a password that nobody knows. */
export const unknownPasswordHash = () => hashPassword(crypto.randomUUID())

/**
 * Confirms the address of an account whose mail was read. If it wasn't confirmed, somebody else may have chosen the
 * password, so it is replaced by one that nobody knows.
 */
export const confirmByMail = (
  { clock }: Board,
  tables: Tables,
  user: UserRow,
  passwordHash: string,
): UserRow => (user.confirmed ? user : changeUser(tables, clock, user.id, { confirmed: true, passwordHash }))
