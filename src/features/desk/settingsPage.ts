import { sessionsOf } from '../../accounts/sessions.ts'
import { isAdmin } from '../../base/caller.ts'
import { notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RouteContext } from '../../http/route.ts'
import { machineDate, shortDate } from '../pages/view.ts'
import { listTokens } from '../tokens/actions.ts'
import type { SignedIn } from './desk.ts'

export const SETTINGS = '/account/settings'

/** Returns the part of a confirmation's view that all forms of the settings share. */
export const buttons = (button: string) => ({
  items: [],
  is_danger: false,
  button,
  cancel_path: SETTINGS,
})

/** What was just done, by the name in the path after a form. */
const NOTICES: Readonly<Record<string, string>> = {
  password: 'Your password has been changed. All other sessions have ended.',
  session: 'The session has ended.',
  sessions: 'All other sessions have ended.',
  token: 'The token was deleted.',
  confirmation: "We've sent you a new link. Check your inbox.",
}

/** Returns the view of the page of an account's settings. */
export function presentSettings(board: Board, { session, caller, query }: SignedIn) {
  const { store, clock } = board
  const user = store.read.users.get(session.account.userId)
  if (!user) throw notFound('user')
  const done = query.get('done') ?? ''
  return {
    notice: done === 'email' ? emailNotice(user.confirmed, user.email) : (NOTICES[done] ?? ''),
    email: user.email,
    is_unconfirmed: !user.confirmed && !isAdmin(caller),
    sessions: sessionsOf(store.read, user, clock()).map(row => ({
      id: row.id,
      device: row.device,
      is_own: row.id === session.id,
      created: dateView(row.createdAt),
      used: dateView(row.lastUsedAt),
      end_path: `/account/sessions/${row.id}/end`,
    })),
    tokens: listTokens(board, caller).map(({ id, name, scopes, lastUsedOn, expiresAt }) => ({
      name,
      scopes: scopes.join(', '),
      is_used: lastUsedOn !== null,
      expires: expiresAt === null ? null : dateView(expiresAt),
      delete_path: `/account/tokens/${id}/delete`,
    })),
  }
}

const emailNotice = (isConfirmed: boolean, email: string) =>
  isConfirmed
    ? `Your address is now ${email}.`
    : `Your address is now ${email}. Click the link in the e-mail that we sent to it to confirm it.`

const dateView = (moment: number) => ({ at: machineDate(moment), text: shortDate(moment) })

/** The id of the account that is signed in. A form for accounts is only reached with a session. */
export function ownId({ session }: RouteContext): number {
  if (!session) throw notFound('session')
  return session.account.userId
}
