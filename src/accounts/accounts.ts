import type { Clock } from '../base/clock.ts'
import type { Store } from '../store/store.ts'
import { AccessTokens } from './accessTokens.ts'
import { Credentials } from './credentials.ts'
import { Passwords } from './passwords.ts'
import { SessionCookie } from './sessionCookie.ts'
import { Sessions } from './sessions.ts'

/** The services for signing in. */
export class Accounts {
  readonly passwords = new Passwords()
  readonly credentials: Credentials
  readonly sessions: Sessions
  readonly sessionCookie: SessionCookie

  /** @param baseUrl the board's base URL */
  constructor(store: Store, clock: Clock, baseUrl: string) {
    this.credentials = new Credentials(store, this.passwords, new AccessTokens(store, clock), clock)
    this.sessions = new Sessions(store, clock)
    this.sessionCookie = new SessionCookie(baseUrl)
  }
}
