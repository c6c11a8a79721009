import { createHash, randomBytes } from 'node:crypto'
import { DAY, MINUTE } from '../base/clock.ts'
import type { TableReaders, Tables } from '../store/tables.ts'
import type { TokenPurpose, TokenRow } from '../store/tokenRows.ts'

const TOKEN_BYTES = 32
/** How long a draft that was entered without an account can be claimed. After that it is deleted. */
export const CLAIM_PERIOD = 7 * DAY

/** For each purpose, the column of the holder and the lifetime of the tokens. */
const PURPOSES = {
  subscription: { column: 'subscriberId', lifetime: 7 * DAY },
  unsubscription: { column: 'subscriberId', lifetime: 90 * DAY },
  signIn: { column: 'userId', lifetime: 15 * MINUTE },
  account: { column: 'userId', lifetime: 7 * DAY },
  reset: { column: 'userId', lifetime: DAY },
  post: { column: 'jobId', lifetime: CLAIM_PERIOD },
  renewal: { column: 'jobId', lifetime: 30 * DAY },
} as const satisfies Record<TokenPurpose, unknown>

/** Issues a token that lets its bearer do one thing for one subscriber, user or job. Only its hash is stored. */
export function issueToken(tables: Tables, purpose: TokenPurpose, id: number, now: number): string {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const { column, lifetime } = PURPOSES[purpose]
  const holder = { subscriberId: null, userId: null, jobId: null, [column]: id }
  tables.tokens.insert({ ...holder, hash: hashOf(token), purpose, createdAt: now, expiresAt: now + lifetime })
  return token
}

/** Returns the id of a token's subscriber, user or job; undefined if it is invalid for the purpose, or has expired. */
export function findTokenHolder(
  tables: TableReaders,
  purpose: TokenPurpose,
  token: string,
  now: number,
): number | undefined {
  const row = tables.tokens.findBy('hash', hashOf(token))
  if (row?.purpose !== purpose || row.expiresAt <= now) return undefined
  return row[PURPOSES[purpose].column] ?? undefined
}

/** Returns the tokens of a subscriber or user for the given purposes. */
export function tokensOf(tables: TableReaders, purposes: readonly TokenPurpose[], id: number): TokenRow[] {
  const columns = new Set(purposes.map(purpose => PURPOSES[purpose].column))
  const ids = [...columns].flatMap(column => tables.tokens.idsWhere(column, id))
  const tokens = ids.flatMap(token => tables.tokens.get(token) ?? [])
  return tokens.filter(({ purpose }) => purposes.includes(purpose))
}

/** Revokes the tokens of a subscriber or user for the given purposes. They still count as issued. */
export function revokeTokens(
  tables: Tables,
  purposes: readonly TokenPurpose[],
  id: number,
  now: number,
): void {
  for (const token of tokensOf(tables, purposes, id))
    tables.tokens.update(token, { expiresAt: Math.min(token.expiresAt, now) })
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64')
