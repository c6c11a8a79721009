import { type Clock, MINUTE, SECOND } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { SlidingWindow } from '../base/slidingWindow.ts'

/** Failures in a minute from one network. */
const MAX_NETWORK_FAILURES = 10
/** How long a failure delays further attempts to sign in to its account. */
const ACCOUNT_WINDOW = 15 * MINUTE
/** Failures of one account before further attempts are delayed. */
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

  /** Whether a sign-in from this network failed recently. */
  isSuspect(network: string): boolean {
    return this.networks.recent(network).length > 0
  }

  /** The milliseconds that the next attempt to sign in to an account has to wait, whatever network it comes from. */
  delay(account: string): number {
    const recent = this.accounts.recent(account)
    const last = recent.at(-1)
    if (last === undefined || recent.length < UNDELAYED_FAILURES) return 0
    const delay = Math.min(FIRST_DELAY * 2 ** (recent.length - UNDELAYED_FAILURES), MAX_DELAY)
    return Math.max(0, last + delay - this.clock())
  }
}
