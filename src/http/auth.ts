import { Elysia } from 'elysia'
import { type Caller, isAdmin } from '../base/caller.ts'
import { Problem, unauthenticated } from '../base/problem.ts'
import { contextOf } from './request/context.ts'

/** Who may use a route. Every route says it; a test sees to that. */
export type Access = 'nobody' | 'user' | 'admin'

/** What a route's guard is known by to those who list routes. */
const NEEDS = 'x-needs'
const PER_MINUTE = 'x-per-minute'

/**
 * The guard of routes, `{ needs: 'user' }`, which also hands them the exchange and its caller. A POST that anybody may
 * send says how many are taken from one network: `{ needs: 'nobody', perMinute: 10 }`. That is what makes it public:
 * other sites' pages may send it too. Administrators have no limit.
 */
export const guard = new Elysia({ name: 'guard' })
  .macro('needs', (who: Access) => ({
    resolve: ({ request }) => {
      const context = contextOf(request)
      requireAccess(context.caller, who)
      context.needs = who
      return { exchange: context, caller: context.caller }
    },
    // as a plain object, or Elysia loses the type of what is resolved
    detail: { [NEEDS]: who } as object,
  }))
  .macro('perMinute', (allowed: number) => ({
    detail: { [PER_MINUTE]: allowed },
    beforeHandle: ({ request, route }) => {
      const context = contextOf(request)
      if (!isAdmin(context.caller)) context.limit.spend(route, context.client, allowed)
    },
  }))

/** A route, with the words that Elysia keeps of its hook. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly hooks: { readonly detail?: object }
}

/** Who may use a route; undefined if it does not say. */
export const accessOf = (route: Route) => guardOf(route)[NEEDS]

/** How many requests a route takes from one network in a minute; undefined if there is no limit. */
export const limitOf = (route: Route) => guardOf(route)[PER_MINUTE]

interface Guard {
  readonly [NEEDS]?: Access
  readonly [PER_MINUTE]?: number
}

// the names are ours: the macros above put them there
const guardOf = ({ hooks }: Route) => (hooks.detail ?? {}) as Guard

/** @throws Problem 'unauthenticated' or 'forbidden' */
export function requireAccess(caller: Caller, needs: Access): void {
  if (needs === 'nobody') return
  if (caller.role === undefined) throw unauthenticated()
  if (needs === 'admin' && !isAdmin(caller)) throw forbidden()
}

export const forbidden = () => new Problem('forbidden', 'This account may not do this.')
