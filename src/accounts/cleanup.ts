import { DAY } from '../base/clock.ts'
import { deleteAmong, deleteInBatches } from '../store/deleteInBatches.ts'
import type { Store } from '../store/store.ts'
import { isOverdue } from './sessions.ts'
import { CLAIM_PERIOD, tokensOf } from './tokens.ts'

const RETENTION = 30 * DAY

/**
 * Deletes subscribers and accounts whose address was not confirmed within 30 days of the last request. An account that
 * owns jobs stays, and so does one for which a mailed link still works.
 */
export async function deleteUnconfirmed(store: Store, now: number): Promise<void> {
  const before = now - RETENTION
  await deleteInBatches(store, 'subscribers', ({ confirmed, updatedAt }) => !confirmed && updatedAt <= before)
  await deleteInBatches(
    store,
    'users',
    ({ id, role, confirmed, updatedAt }, tables) =>
      !confirmed &&
      role === 'user' &&
      updatedAt <= before &&
      tables.jobs.idsWhere('userId', id).length === 0 &&
      tokensOf(tables, ['account', 'reset'], id).every(({ expiresAt }) => expiresAt <= now),
  )
}

/** Deletes the sessions that have ended. */
export const deleteEndedSessions = (store: Store, now: number): Promise<void> =>
  deleteInBatches(store, 'sessions', (session, tables) => isOverdue(session, tables, now))

/** Deletes the tokens that have expired. */
export const deleteExpiredTokens = (store: Store, now: number): Promise<void> =>
  deleteInBatches(store, 'tokens', ({ expiresAt }) => expiresAt <= now)

/** For how long the response to a batch is kept. */
export const BATCH_PERIOD = DAY

/** Deletes the stored responses to batches whose keys are no longer valid. */
export const deleteOldBatches = (store: Store, now: number): Promise<void> =>
  deleteInBatches(store, 'batches', ({ createdAt }) => createdAt <= now - BATCH_PERIOD)

/** Deletes drafts that were entered without an account, and not claimed in time. */
export const deleteUnclaimedDrafts = (store: Store, drafts: readonly number[], now: number): Promise<void> =>
  deleteAmong(
    store,
    'jobs',
    drafts,
    ({ claimEmail, createdAt }) => claimEmail !== null && createdAt <= now - CLAIM_PERIOD,
  )
