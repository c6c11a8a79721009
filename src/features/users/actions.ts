import { addUser, changeUser, EMAIL_TAKEN } from '../../accounts/users.ts'
import { type Caller, isAdmin } from '../../base/caller.ts'
import { check, checkPatch, type Sent } from '../../base/check.ts'
import { missing } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { forbidden } from '../../http/auth.ts'
import type { UserRow } from '../../store/rows.ts'
import { refuseTaken } from '../../store/unique.ts'
import { UserFields } from './schema.ts'

/**
 * An account that the caller may see: their own, or any to an administrator.
 * @throws Problem 'forbidden', 'missing'
 */
export function getUser({ store }: Board, caller: Caller, id: number | undefined): UserRow {
  if (id === undefined || (caller.userId !== id && !isAdmin(caller))) throw forbidden()
  const user = store.read.users.get(id)
  if (!user) throw missing('user')
  return user
}

/** Makes an account with the role that was sent. */
export async function createUser({ store, passwords, clock }: Board, sent: Sent): Promise<UserRow> {
  const draft = check(UserFields, sent)
  refuseTaken(store.read.users, 'email', draft, EMAIL_TAKEN)
  const { email, password, role } = draft.settle()
  return await addUser(store, clock, { email, role, passwordHash: await passwords.hash(password) })
}

/** Changes an account; only an administrator changes a role. */
export async function updateUser(board: Board, caller: Caller, id: number, sent: Sent): Promise<UserRow> {
  const { store, passwords, clock } = board
  const user = getUser(board, caller, id)
  const draft = checkPatch(UserFields, sent)
  refuseTaken(store.read.users, 'email', draft, EMAIL_TAKEN, id)
  const role = draft.value('role')
  if (role !== undefined && role !== user.role && !isAdmin(caller)) throw forbidden()
  const { password, ...columns } = draft.settle()
  const passwordHash = password === undefined ? undefined : await passwords.hash(password)
  return await changeUser(store, clock, id, {
    ...columns,
    ...(passwordHash !== undefined && { passwordHash }),
  })
}
