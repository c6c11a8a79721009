import { type Caller, isAdmin } from '../base/caller.ts'
import { forbidden, Problem, unauthenticated } from '../base/problem.ts'
import { hasScope, type Scope } from '../base/scopes.ts'
import type { PathParams } from './paths.ts'
import type { RequestContext } from './request/context.ts'
import type { Access, RouteRules } from './routeDescription.ts'

/** @throws Problem 'unauthenticated' or 'forbidden' if the caller doesn't have this access */
export function requireAccess(caller: Caller, access: Access): void {
  if (access === 'public') return
  if (caller.userId === undefined) throw unauthenticated()
  if (access === 'admin' && !isAdmin(caller)) throw forbidden()
}

/** @throws Problem 'forbidden' if the request was sent with an access token that lacks the scope */
export function requireScope(
  context: RequestContext & { readonly params: PathParams },
  { scope: own }: RouteRules,
  access: Access,
): void {
  const { caller, isRead } = context
  if (!caller.token) return
  const needed = typeof own === 'function' ? own(context) : own
  const scope = needed === undefined ? DEFAULT_SCOPES[access](isRead) : needed
  if (scope !== null && !hasScope(caller.token.scopes, scope))
    throw new Problem('forbidden', `This token lacks the scope "${scope}".`)
}

const DEFAULT_SCOPES: Readonly<Record<Access, (isRead: boolean) => Scope | null>> = {
  public: () => null,
  user: isRead => (isRead ? 'jobs:read' : 'jobs:write'),
  admin: () => 'admin',
}
