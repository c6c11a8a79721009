import { timestamp } from '../../base/clock.ts'
import type { UserRow } from '../../store/rows.ts'
import type { Owner, User } from './schema.ts'

/** Returns an account as its user and administrators see it. */
export const presentUser = ({ id, email, role, createdAt, updatedAt }: UserRow): User => ({
  id,
  email,
  role,
  created_at: timestamp(createdAt),
  updated_at: timestamp(updatedAt),
})

/** Returns a job's owner, or null if it has none. */
export const presentOwner = (user: UserRow | undefined): Owner =>
  user ? { id: user.id, email: user.email } : null
