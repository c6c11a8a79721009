/** What an access token can be allowed to do. The last ones are for administrators. */
export const SCOPES = ['jobs:read', 'jobs:write', 'changes', 'subscribers', 'analytics', 'admin'] as const
/** A token for one source of jobs has the scope `sources:` and its name. */
export type Scope = (typeof SCOPES)[number] | `sources:${string}`
export const SOURCE_NAME = '[a-z0-9._-]{1,64}'
export const SOURCE_SCOPE = `sources:${SOURCE_NAME}`
const ADMIN_SCOPES: ReadonlySet<string> = new Set<Scope>(['changes', 'subscribers', 'analytics', 'admin'])

/** Whether a scope is for administrators only. */
export const isAdminScope = (scope: Scope) => ADMIN_SCOPES.has(scope) || isSourceScope(scope)

const isSourceScope = (scope: Scope) => scope.startsWith('sources:')

/**
 * Whether a token may do what needs a scope. `jobs:write` includes reading and the sources of the account. `changes`
 * includes reading, because its feed has the same records and a client begins with the lists. `admin` includes everything.
 */
export const hasScope = (scopes: readonly string[], scope: Scope) =>
  scopes.includes(scope) ||
  scopes.includes('admin') ||
  ((scope === 'jobs:read' || isSourceScope(scope)) && scopes.includes('jobs:write')) ||
  (scope === 'jobs:read' && scopes.includes('changes'))
