import { type Clock, MINUTE, SECOND } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { SlidingWindow } from '../base/slidingWindow.ts'

/** The failures in a minute after which a network has to wait. */
const MAX_NETWORK_FAILURES = 10
/** How long a failure delays further attempts to sign in to its account. */
const ACCOUNT_WINDOW = 15 * MINUTE
/** The failures of an account that don't delay further attempts. */
const UNDELAYED_FAILURES = 10
/** The first delay in milliseconds. It doubles with each failure, up to the maximum. */
const FIRST_DELAY = SECOND / 4
const MAX_DELAY = 2 * SECOND

/** Counts failed sign-ins by network and by account. */
export class FailureLimit {
  private readonly networks: SlidingWindow
  private readonly accounts: SlidingWindow

  constructor(private readonly clock: Clock) {
    this.networks = new SlidingWindow(clock)
    this.accounts = new SlidingWindow(clock, ACCOUNT_WINDOW)
  }

  add(network: string, account: string): void {
    this.networks.add(network)
    this.accounts.add(account)
  }

  /** @throws Problem 'throttled' if too many sign-ins from this network failed */
  requireBelowLimit(network: string): void {
    const wait = this.networks.wait(network, MAX_NETWORK_FAILURES)
    if (wait === 0) return
    throw new Problem('throttled', 'Too many failed sign-ins from this address. Please wait a little.', {
      retryAfter: Math.ceil(wait / SECOND),
    })
  }

  /** Returns whether a sign-in from this network failed recently. */
  isSuspect(network: string): boolean {
    return this.networks.recent(network).length > 0
  }

  /** Returns how long the next sign-in to an account has to wait, from any network, in milliseconds. */
  delay(account: string): number {
    const recent = this.accounts.recent(account)
    const last = recent.at(-1)
    if (last === undefined || recent.length < UNDELAYED_FAILURES) return 0
    const delay = Math.min(FIRST_DELAY * 2 ** (recent.length - UNDELAYED_FAILURES), MAX_DELAY)
    return Math.max(0, last + delay - this.clock())
  }
}
