import { Elysia } from 'elysia'
import { type Caller, isAdmin } from '../base/caller.ts'
import { Problem } from '../base/problem.ts'
import { exchangeOf } from './exchange.ts'

/** Who may use a route. Every route says it; a test sees to that. */
export type Needs = 'nobody' | 'user' | 'admin'

/** What a route with a limit is known by, in its documentation too. */
const PER_MINUTE = 'x-per-minute'

/**
 * The guard of routes, `{ needs: 'user' }`, which also hands them the exchange and its caller. A POST that anybody may
 * send says how many are taken from one network: `{ needs: 'nobody', perMinute: 10 }`. That is what makes it public:
 * other sites' pages may send it too. Administrators have no limit.
 */
export const guard = new Elysia({ name: 'guard' })
  .macro('needs', (who: Needs) => ({
    resolve: ({ request }) => {
      const exchange = exchangeOf(request)
      admit(exchange.caller, who)
      return { exchange, caller: exchange.caller }
    },
  }))
  .macro('perMinute', (allowed: number) => ({
    detail: { [PER_MINUTE]: allowed },
    beforeHandle: ({ request, route }) => {
      const exchange = exchangeOf(request)
      if (!isAdmin(exchange.caller)) exchange.limit.spend(route, exchange.client, allowed)
    },
  }))

/** Whether a route has a limit, by the hooks that Elysia keeps of it. */
export const hasLimit = ({ hooks }: { readonly hooks: { readonly detail?: object } }) =>
  hooks.detail !== undefined && PER_MINUTE in hooks.detail

/** @throws Problem 'unauthenticated' or 'forbidden' */
export function admit(caller: Caller, needs: Needs): void {
  if (needs === 'nobody') return
  if (caller.role === undefined) throw new Problem('unauthenticated', 'Invalid Email or password.')
  if (needs === 'admin' && !isAdmin(caller)) throw forbidden()
}

export const forbidden = () => new Problem('forbidden', 'This account may not do this.')
