import { holderOf } from '../../accounts/tokens.ts'
import { alterUser } from '../../accounts/users.ts'
import { writeAs } from '../../accounts/writeAs.ts'
import { nobody } from '../../base/caller.ts'
import { check, type Sent } from '../../base/check.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { NewPassword, ResetRequest } from './schema.ts'

/** Has a link mailed to an address, if it has an account: only the mail finds out. */
export async function requestReset({ store, mail }: Board, sent: Sent): Promise<void> {
  const { email } = check(ResetRequest, sent).settle()
  await writeAs(store, nobody, tables => mail.outbox.post(tables, { kind: 'reset', email }))
}

/** @throws Problem 'missing' if the token does not hold, or no more */
export function requireResetToken({ store, clock }: Board, token: string, tables = store.read): number {
  const id = holderOf(tables, 'reset', token, clock())
  if (id === undefined)
    throw new Problem(
      'missing',
      'This code is wrong, or too old, or was used already. Please ask for another.',
    )
  return id
}

/**
 * Gives an account a new password. Whoever got the mail has its address: that is confirmed too.
 * @param address of the client
 */
export async function resetPassword(board: Board, token: string, sent: Sent, address: string): Promise<void> {
  const { password } = check(NewPassword, sent).settle()
  const passwordHash = await board.passwords.hash(password, {
    address,
    userId: requireResetToken(board, token),
  })
  await writeAs(board.store, nobody, tables => {
    const id = requireResetToken(board, token, tables)
    alterUser(tables, board.clock, id, { passwordHash, confirmed: true })
  })
}
