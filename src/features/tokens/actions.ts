import { hashOfToken, isExpired, newAccessToken } from '../../accounts/accessTokens.ts'
import { writeAs } from '../../accounts/writeAs.ts'
import { type Caller, isAdmin, isOwner } from '../../base/caller.ts'
import { DAY, floorToSecond } from '../../base/clock.ts'
import { notFound, Problem, unauthenticated } from '../../base/problem.ts'
import { isAdminScope } from '../../base/scopes.ts'
import type { Board } from '../../board.ts'
import type { TableReaders } from '../../store/tables.ts'
import type { AccessTokenRow } from '../../store/tokenRows.ts'
import type { Validation } from '../../validation/validation.ts'
import { presentToken } from './present.ts'
import type { CreatedToken, NewToken } from './schema.ts'

/** The maximum number of tokens of one account. */
const MAX_TOKENS = 100

/** @throws Problem 'forbidden' if the request was sent with a token: tokens can't manage tokens */
export function requirePassword({ token }: Caller): void {
  if (token) throw new Problem('forbidden', "Tokens can't manage tokens. Use the password of the account.")
}

/** Returns the caller's tokens that haven't expired, oldest first. */
export function listTokens({ store, clock }: Board, caller: Caller): AccessTokenRow[] {
  const now = clock()
  return tokensOf(store.read, caller.userId).filter(token => !isExpired(token, now))
}

const tokensOf = (tables: TableReaders, userId: number | undefined) =>
  userId === undefined
    ? []
    : tables.accessTokens.idsWhere('userId', userId).flatMap(id => tables.accessTokens.get(id) ?? [])

/** Creates a token of the caller's account. @throws Problem 'invalid', or 'conflict' if it has too many */
export async function createToken(
  { store, clock }: Board,
  caller: Caller,
  input: Validation<NewToken>,
): Promise<CreatedToken> {
  const forAdmins = (input.value('scopes') ?? []).filter(isAdminScope)
  if (forAdmins.length > 0 && !isAdmin(caller))
    input.addError('scopes', `can be ${forAdmins.join(', ')} only for administrators`)
  const { name, scopes, expires_in_days: days } = input.valueOrThrow()
  const token = newAccessToken()
  const row = await writeAs(store, caller, tables => {
    const { userId } = caller
    if (userId === undefined) throw unauthenticated()
    const createdAt = floorToSecond(clock())
    for (const old of tokensOf(tables, userId))
      if (isExpired(old, createdAt)) tables.accessTokens.remove(old.id)
    if (tokensOf(tables, userId).length >= MAX_TOKENS)
      throw new Problem('conflict', `You have ${MAX_TOKENS} tokens, which is the maximum. Delete one first.`)
    const expiresAt = days === 0 ? null : createdAt + days * DAY
    const columns = { name, scopes, createdAt, expiresAt, lastUsedOn: null }
    return tables.accessTokens.insert({ ...columns, userId, hash: hashOfToken(token) })
  })
  return { ...presentToken(row), token }
}

/** Returns a token that hasn't expired: the caller's own, for administrators any. @throws Problem 'notFound' */
export function getToken({ store, clock }: Board, caller: Caller, id: number): AccessTokenRow {
  const token = requireToken(store.read, caller, id)
  if (isExpired(token, clock())) throw notFound('token')
  return token
}

function requireToken({ accessTokens }: TableReaders, caller: Caller, id: number): AccessTokenRow {
  const token = accessTokens.get(id)
  if (!token || !(isAdmin(caller) || isOwner(caller, token))) throw notFound('token')
  return token
}

/** Deletes a token, which ends it at once. Administrators can delete the tokens of others. @throws Problem 'notFound' */
export const deleteToken = ({ store }: Board, caller: Caller, id: number): Promise<AccessTokenRow> =>
  writeAs(store, caller, tables => {
    const token = requireToken(tables, caller, id)
    tables.accessTokens.remove(id)
    return token
  })
