import { dateOfDay, timestamp, timestampOrNull } from '../../base/clock.ts'
import type { Scope } from '../../base/scopes.ts'
import type { AccessTokenRow } from '../../store/tokenRows.ts'
import type { Token } from './schema.ts'

/** Returns a token as its account sees it. */
export const presentToken = ({
  id,
  name,
  scopes,
  createdAt,
  expiresAt,
  lastUsedOn,
}: AccessTokenRow): Token => ({
  id,
  name,
  scopes: scopes as Scope[], // they were validated when the token was created
  created_at: timestamp(createdAt),
  expires_at: timestampOrNull(expiresAt),
  last_used_on: lastUsedOn === null ? null : dateOfDay(lastUsedOn),
})
