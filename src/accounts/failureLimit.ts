import { type Clock, MINUTE, SECOND } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { SlidingWindow } from '../base/slidingWindow.ts'

/** In a minute, from one network. */
const MAX_NETWORK_FAILURES = 10
/** For how long a failure slows down further attempts at its account. */
const ACCOUNT_WINDOW = 15 * MINUTE
/** Failures of one account before attempts at it are slowed down. */
const UNDELAYED_FAILURES = 10
/** Of the first delay, which doubles with each failure up to the longest; in milliseconds. */
const FIRST_DELAY = SECOND / 4
const MAX_DELAY = 2 * SECOND

/** Counts failed sign-ins by the network that they come from, and by the account that they are for. */
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

  /** @throws Problem 'throttled' if too many failed from this network */
  requireFew(network: string): void {
    const wait = this.networks.wait(network, MAX_NETWORK_FAILURES)
    if (wait === 0) return
    throw new Problem('throttled', 'Too many failed sign-ins from this address. Please wait a little.', {
      retryAfter: Math.ceil(wait / SECOND),
    })
  }

  /** Whether a sign-in from this network failed lately. */
  isSuspect(network: string): boolean {
    return this.networks.recent(network).length > 0
  }

  /** Milliseconds for which the next attempt at an account has to wait, from whatever network it comes. */
  delay(account: string): number {
    const recent = this.accounts.recent(account)
    const last = recent.at(-1)
    if (last === undefined || recent.length < UNDELAYED_FAILURES) return 0
    const delay = Math.min(FIRST_DELAY * 2 ** (recent.length - UNDELAYED_FAILURES), MAX_DELAY)
    return Math.max(0, last + delay - this.clock())
  }
}
