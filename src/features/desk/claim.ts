import { sessionsOf } from '../../accounts/sessions.ts'
import { findTokenHolder, revokeTokens } from '../../accounts/tokens.ts'
import { addUser, findUser } from '../../accounts/users.ts'
import { accountOf } from '../../accounts/verifiedCredentials.ts'
import { writeAs } from '../../accounts/writeAs.ts'
import { ANONYMOUS, type Caller } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import { Problem, unauthenticated } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import type { JobRow, UserRow } from '../../store/rows.ts'
import type { TableReaders, Tables } from '../../store/tables.ts'
import { confirmByMail, replaceSession, unknownPasswordHash } from './signIn.ts'

/** A draft that was entered without an account, and the account of its address, if there is one. */
interface Claim {
  readonly job: JobRow
  readonly email: string
  readonly user: UserRow | undefined
}

/** Returns what a link to post a job is for. @throws Problem 'notFound' if it is invalid, used or has expired */
export function claimOf({ store, clock }: Board, token: string, tables: TableReaders = store.read): Claim {
  const job = tables.jobs.get(findTokenHolder(tables, 'post', token, clock()) ?? null)
  if (!job || job.claimEmail === null)
    throw new Problem('notFound', 'This link is invalid, used or has expired. Enter your job again.')
  return { job, email: job.claimEmail, user: findUser(tables, job.claimEmail) }
}

/**
 * Whether the account of a claim has to be signed in first. A link that is valid for a week is not enough to get into an
 * account that somebody uses.
 */
export const mustSignIn = ({ user }: Claim, { session }: RequestContext) =>
  user?.confirmed === true && session?.account.userId !== user.id

/** A draft that now belongs to an account. */
interface Claimed {
  readonly jobId: number
  readonly caller: Caller
  /** The token of the session that was started; undefined if the account was signed in already. */
  readonly sessionToken: string | undefined
}

/**
 * Gives a draft to the account of its address, which is created or confirmed and signed in.
 * @throws Problem 'unauthenticated' if the account has to be signed in first
 */
export async function claimDraft(board: Board, context: RequestContext, token: string): Promise<Claimed> {
  const passwordHash = await unknownPasswordHash()
  return await writeAs(board.store, ANONYMOUS, tables => {
    const claim = claimOf(board, token, tables)
    if (mustSignIn(claim, context)) throw unauthenticated()
    const user = accountFor(board, tables, claim, passwordHash)
    const now = floorToSecond(board.clock())
    const { id } = tables.jobs.update(claim.job, { userId: user.id, claimEmail: null, updatedAt: now })
    revokeTokens(tables, ['post'], id, board.clock())
    const isSignedIn = sessionsOf(tables, user, board.clock()).some(row => row.id === context.session?.id)
    const sessionToken = isSignedIn ? undefined : replaceSession(board, context, tables, user)
    return { jobId: id, caller: accountOf(user), sessionToken }
  })
}

function accountFor(board: Board, tables: Tables, { email, user }: Claim, passwordHash: string): UserRow {
  if (user) return confirmByMail(board, tables, user, passwordHash)
  return addUser(tables, board.clock, { email, role: 'user', passwordHash, confirmed: true })
}
