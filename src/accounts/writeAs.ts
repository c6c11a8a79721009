import type { Caller } from '../base/caller.ts'
import { unauthenticated } from '../base/problem.ts'
import type { Store } from '../store/store.ts'
import type { TableReaders, Tables } from '../store/tables.ts'

/**
 * Runs a change as one transaction on behalf of a caller. A request may take minutes, by its body or by waiting for a
 * password's hash: so the transaction begins by checking that the caller's account is still as it was when the
 * credentials were checked. Features write in no other way; what a token or nobody's request does is done for `nobody`.
 * @param room how much it may store, in bytes, where that is more than a few records
 * @throws Problem 'unauthenticated' if the account was removed or got another address, password or role meanwhile
 */
export const writeAs = <T>(
  store: Store,
  caller: Caller,
  change: (tables: Tables) => T extends PromiseLike<unknown> ? never : T,
  room?: number,
): Promise<T> =>
  store.write<T>(tables => {
    requireUnchanged(tables, caller)
    return change(tables)
  }, room)

/** @throws Problem 'unauthenticated' if the caller's account is not as it was when the credentials were checked */
export function requireUnchanged(tables: TableReaders, caller: Caller): void {
  if (caller.userId !== undefined && tables.users.get(caller.userId)?.epoch !== caller.epoch)
    throw unauthenticated()
}
