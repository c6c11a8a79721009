import { createHash, randomBytes } from 'node:crypto'
import type { Session } from '../base/caller.ts'
import { type Clock, DAY, HOUR } from '../base/clock.ts'
import type { Later } from '../base/later.ts'
import type { UserRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { TableReaders, Tables } from '../store/tables.ts'
import type { SessionRow } from '../store/tokenRows.ts'
import { accountOf } from './verifiedCredentials.ts'

const TOKEN_BYTES = 32
/** How long a session lasts from its last use. */
const IDLE_LIFETIME = 14 * DAY
/** How long a session lasts at most. */
export const MAX_LIFETIME = 90 * DAY
/** The last use is stored again only when it is this old, so that reading pages rarely writes. */
const USE_INTERVAL = 4 * HOUR
/** The sessions of one account. A further sign-in ends the one that was used least recently. */
const MAX_SESSIONS = 50

/** Finds sessions by the tokens in cookies. */
export class Sessions {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Returns the session of a token, if it is still valid. Resolves later only when its last use has to be stored. */
  find(token: string): Later<Session | undefined> {
    const row = this.store.read.sessions.findBy('hash', hashOf(token))
    const user = row && this.store.read.users.get(row.userId)
    const now = this.clock()
    if (!user || !isValid(row, user, now)) return undefined
    const session = { id: row.id, account: accountOf(user), token }
    return now < row.lastUsedAt + USE_INTERVAL ? session : this.recordUse(row.id).then(() => session)
  }

  private async recordUse(id: number): Promise<void> {
    const lastUsedAt = this.clock()
    try {
      await this.store.write(({ sessions }) => {
        const row = sessions.get(id)
        if (row) sessions.update(row, { lastUsedAt })
      })
    } catch {
      // The disk may be full. The session still works, and its next use is stored.
    }
  }
}

/**
 * Starts a session, and returns its token. Only the hash is stored.
 * @param device the browser and the system, for the account's list of sessions
 */
export function startSession(tables: Tables, { id: userId, epoch }: UserRow, device: string, now: number) {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const others = sessionRowsOf(tables, userId).toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)
  for (const { id } of others.slice(MAX_SESSIONS - 1)) tables.sessions.remove(id)
  tables.sessions.insert({ hash: hashOf(token), userId, epoch, device, createdAt: now, lastUsedAt: now })
  return token
}

/** Returns an account's valid sessions, the one that was used last first. */
export function sessionsOf(tables: TableReaders, user: UserRow, now: number): SessionRow[] {
  const valid = sessionRowsOf(tables, user.id).filter(row => isValid(row, user, now))
  return valid.toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)
}

/** Returns whether a session has ended by itself, or because its account's address, password or role has changed. */
export function isOverdue(row: SessionRow, tables: TableReaders, now: number): boolean {
  const user = tables.users.get(row.userId)
  return !user || !isValid(row, user, now)
}

const sessionRowsOf = ({ sessions }: TableReaders, userId: number) =>
  sessions.idsWhere('userId', userId).flatMap(id => sessions.get(id) ?? [])

const isValid = ({ epoch, createdAt, lastUsedAt }: SessionRow, user: UserRow, now: number) =>
  epoch === user.epoch && now < lastUsedAt + IDLE_LIFETIME && now < createdAt + MAX_LIFETIME

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64')
