import type { Static } from '@sinclair/typebox'
import { findTokenHolder } from '../../accounts/tokens.ts'
import { changeUser } from '../../accounts/users.ts'
import { writeAs } from '../../accounts/writeAs.ts'
import { ANONYMOUS } from '../../base/caller.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { Validation } from '../../validation/validation.ts'
import type { NewPassword, ResetRequest } from './schema.ts'

/** Queues a reset link for an address. The mail's template finds out whether it has an account. */
export async function requestReset(
  { store, mail }: Board,
  input: Validation<Static<typeof ResetRequest>>,
): Promise<void> {
  const { email } = input.valueOrThrow()
  await writeAs(store, ANONYMOUS, tables => mail.outbox.enqueue(tables, { kind: 'reset', email }))
}

/** Returns the id of a reset token's account. @throws Problem 'notFound' if the token is invalid or has expired */
export function requireResetToken({ store, clock }: Board, token: string, tables = store.read): number {
  const id = findTokenHolder(tables, 'reset', token, clock())
  if (id === undefined)
    throw new Problem('notFound', 'This link is invalid or has expired. Request a new one.')
  return id
}

/**
 * Sets an account's password. This also confirms the address, because its mail was read.
 * @param address the client's address
 */
export async function resetPassword(
  board: Board,
  token: string,
  input: Validation<Static<typeof NewPassword>>,
  address: string,
): Promise<void> {
  const { password } = input.valueOrThrow()
  const passwordHash = await board.accounts.passwords.hash(password, {
    address,
    userId: requireResetToken(board, token),
  })
  await writeAs(board.store, ANONYMOUS, tables => {
    const id = requireResetToken(board, token, tables)
    changeUser(tables, board.clock, id, { passwordHash, confirmed: true })
  })
}
