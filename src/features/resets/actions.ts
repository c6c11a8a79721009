import { findTokenHolder } from '../../accounts/tokens.ts'
import { updateUserIn } from '../../accounts/users.ts'
import { writeAs } from '../../accounts/writeAs.ts'
import { ANONYMOUS } from '../../base/caller.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { type Fields, validate } from '../../validation/validation.ts'
import { NewPassword, ResetRequest } from './schema.ts'

/** Has a link mailed to an address, if it has an account: only the mail finds out. */
export async function requestReset({ store, mail }: Board, fields: Fields): Promise<void> {
  const { email } = validate(ResetRequest, fields).valueOrThrow()
  await writeAs(store, ANONYMOUS, tables => mail.outbox.enqueue(tables, { kind: 'reset', email }))
}

/** @throws Problem 'notFound' if the token does not hold, or no more */
export function requireResetToken({ store, clock }: Board, token: string, tables = store.read): number {
  const id = findTokenHolder(tables, 'reset', token, clock())
  if (id === undefined)
    throw new Problem(
      'notFound',
      'This code is wrong, or too old, or was used already. Please ask for another.',
    )
  return id
}

/**
 * Gives an account a new password. Whoever got the mail has its address: that is confirmed too.
 * @param address of the client
 */
export async function resetPassword(
  board: Board,
  token: string,
  fields: Fields,
  address: string,
): Promise<void> {
  const { password } = validate(NewPassword, fields).valueOrThrow()
  const passwordHash = await board.passwords.hash(password, {
    address,
    userId: requireResetToken(board, token),
  })
  await writeAs(board.store, ANONYMOUS, tables => {
    const id = requireResetToken(board, token, tables)
    updateUserIn(tables, board.clock, id, { passwordHash, confirmed: true })
  })
}
