import type { Caller } from '../base/caller.ts'
import { unauthenticated } from '../base/problem.ts'
import { type Actor, SYSTEM } from '../store/journal/journalRow.ts'
import type { Store } from '../store/store.ts'
import type { TableReaders, Tables } from '../store/tables.ts'

/**
 * Runs a change as one transaction on behalf of a caller. Because a request can take minutes, the transaction first checks
 * that the caller's account hasn't changed since the credentials were checked. Features write only with this
 * function. A request with a token, or without credentials, writes as `ANONYMOUS`.
 * @param maxBytes the number of bytes that the change may store, if that is more than a few records
 * @param actor who makes the change according to the journal, if not the caller
 * @throws Problem 'unauthenticated' if the account was removed or got another address, password or role meanwhile
 */
export const writeAs = <T>(
  store: Store,
  caller: Caller,
  change: (tables: Tables) => T extends PromiseLike<unknown> ? never : T,
  maxBytes?: number,
  actor = actorOf(caller),
): Promise<T> =>
  store.write<T>(
    tables => {
      requireUnchanged(tables, caller)
      return change(tables)
    },
    { size: maxBytes, actor },
  )

function actorOf({ userId, token }: Caller): Actor {
  if (token) return { kind: 'token', id: token.id }
  return userId === undefined ? SYSTEM : { kind: 'user', id: userId }
}

/** @throws Problem 'unauthenticated' if the caller's account has changed, or its token was deleted, since the credentials were checked */
export function requireUnchanged(tables: TableReaders, caller: Caller): void {
  if (caller.userId !== undefined && tables.users.get(caller.userId)?.epoch !== caller.epoch)
    throw unauthenticated()
  if (caller.token && !tables.accessTokens.has(caller.token.id)) throw unauthenticated()
}
