import { createHash, randomBytes } from 'node:crypto'
import type { Account } from '../base/caller.ts'
import { type Clock, DAY } from '../base/clock.ts'
import type { Store } from '../store/store.ts'
import type { AccessTokenRow } from '../store/tokenRows.ts'
import { accountOf } from './verifiedCredentials.ts'

/** The beginning of every token. Together with the checksum, it lets scanners recognize a token that was published. */
const PREFIX = 'cbt_'
const TOKEN_BYTES = 24
const CHECKSUM_LENGTH = 7
const TOKEN = /^cbt_([\w-]{32})([0-9a-z]{7})$/

/** Returns a new token: a prefix, 192 random bits, and a checksum. */
export function newAccessToken(): string {
  const random = randomBytes(TOKEN_BYTES).toString('base64url')
  return `${PREFIX}${random}${checksumOf(random)}`
}

/** Returns the hash under which a token is stored. */
export const hashOfToken = (token: string) => createHash('sha256').update(token).digest('base64')

/** Finds the accounts of access tokens. */
export class AccessTokens {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Returns the account of a token, with what the token may do; undefined if it is invalid, expired or deleted. */
  find(token: string): Account | undefined {
    const [, random = '', checksum] = TOKEN.exec(token) ?? []
    if (checksum === undefined || checksumOf(random) !== checksum) return undefined
    const row = this.store.read.accessTokens.findBy('hash', hashOfToken(token))
    const user = row && this.store.read.users.get(row.userId)
    const now = this.clock()
    if (!user || isExpired(row, now)) return undefined
    const today = Math.floor(now / DAY)
    if (row.lastUsedOn !== today) void this.recordUse(row.id, today)
    return { ...accountOf(user), token: { id: row.id, scopes: row.scopes } }
  }

  private async recordUse(id: number, lastUsedOn: number): Promise<void> {
    try {
      await this.store.write(({ accessTokens }) => {
        const row = accessTokens.get(id)
        if (row) accessTokens.update(row, { lastUsedOn })
      })
    } catch {
      // The disk may be full. The token still works, and its next use is stored.
    }
  }
}

/** Whether a token has expired. */
export const isExpired = ({ expiresAt }: AccessTokenRow, now: number) =>
  expiresAt !== null && expiresAt <= now

const checksumOf = (text: string) => Bun.hash.crc32(text).toString(36).padStart(CHECKSUM_LENGTH, '0')
