import { Elysia } from 'elysia'
import { type Caller, isAdmin } from '../base/caller.ts'
import { Problem } from '../base/problem.ts'
import { exchangeOf } from './exchange.ts'

/** Who may use a route. Every route says it; a test sees to that. */
export type Needs = 'nobody' | 'user' | 'admin'

/** The guard of routes, `{ needs: 'user' }`, which also hands them the exchange and its caller. */
export const guard = new Elysia({ name: 'guard' }).macro({
  needs: (who: Needs) => ({
    resolve: ({ request }) => {
      const exchange = exchangeOf(request)
      admit(exchange.caller, who)
      return { exchange, caller: exchange.caller }
    },
  }),
})

/** @throws Problem 'unauthenticated' or 'forbidden' */
export function admit(caller: Caller, needs: Needs): void {
  if (needs === 'nobody') return
  if (caller.role === undefined) throw new Problem('unauthenticated', 'Invalid Email or password.')
  if (needs === 'admin' && !isAdmin(caller)) throw forbidden()
}

export const forbidden = () => new Problem('forbidden', 'This account may not do this.')
