/** What an access token can be allowed to do. The last ones are for administrators. */
export const SCOPES = ['jobs:read', 'jobs:write', 'changes', 'subscribers', 'analytics', 'admin'] as const
export type Scope = (typeof SCOPES)[number]
export const ADMIN_SCOPES: ReadonlySet<string> = new Set<Scope>([
  'changes',
  'subscribers',
  'analytics',
  'admin',
])

/** Whether a token may do what needs a scope. `jobs:write` includes reading, and `admin` everything. */
export const hasScope = (scopes: readonly string[], scope: Scope) =>
  scopes.includes(scope) ||
  scopes.includes('admin') ||
  (scope === 'jobs:read' && scopes.includes('jobs:write'))
