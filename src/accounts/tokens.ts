import { createHash, randomBytes } from 'node:crypto'
import { DAY } from '../base/clock.ts'
import { deleteInBatches } from '../store/deleteInBatches.ts'
import type { TokenPurpose, TokenRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { TableReaders, Tables } from '../store/tables.ts'

const TOKEN_BYTES = 32

/** Whom the tokens of each purpose are about, and how long they hold. */
const PURPOSES = {
  subscription: { column: 'subscriberId', life: 7 * DAY },
  unsubscription: { column: 'subscriberId', life: 90 * DAY },
  account: { column: 'userId', life: 7 * DAY },
  reset: { column: 'userId', life: DAY },
} as const satisfies Record<TokenPurpose, unknown>

/** Makes a token by which whoever has it may do one thing for one subscriber or user. Only its hash is stored. */
export function issueToken(tables: Tables, purpose: TokenPurpose, id: number, now: number): string {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const { column, life } = PURPOSES[purpose]
  const holder = { subscriberId: null, userId: null, [column]: id }
  tables.tokens.insert({ ...holder, hash: hashOf(token), purpose, createdAt: now, expiresAt: now + life })
  return token
}

/** The id of the subscriber or user for whom this token does this; undefined if it does not, or no more. */
export function findTokenHolder(
  tables: TableReaders,
  purpose: TokenPurpose,
  token: string,
  now: number,
): number | undefined {
  const found = tables.tokens.findBy('hash', hashOf(token))
  if (found?.purpose !== purpose || found.expiresAt <= now) return undefined
  return found[PURPOSES[purpose].column] ?? undefined
}

/** The tokens of some purposes that a subscriber or user has. */
export function tokensOf(tables: TableReaders, purposes: readonly TokenPurpose[], id: number): TokenRow[] {
  const columns = new Set(purposes.map(purpose => PURPOSES[purpose].column))
  const ids = [...columns].flatMap(column => tables.tokens.idsWhere(column, id))
  const tokens = ids.flatMap(token => tables.tokens.get(token) ?? [])
  return tokens.filter(({ purpose }) => purposes.includes(purpose))
}

/** Ends every token of these purposes that a subscriber or user has. They still count among those that were issued. */
export function revokeTokens(
  tables: Tables,
  purposes: readonly TokenPurpose[],
  id: number,
  now: number,
): void {
  for (const token of tokensOf(tables, purposes, id))
    tables.tokens.update(token, { expiresAt: Math.min(token.expiresAt, now) })
}

/** Removes the tokens that have expired. */
export const deleteExpiredTokens = (store: Store, now: number): Promise<void> =>
  deleteInBatches(store, 'tokens', ({ expiresAt }) => expiresAt <= now)

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64')
