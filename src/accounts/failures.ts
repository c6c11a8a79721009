import { networkOf } from '../base/address.ts'
import { type Clock, MINUTE, SECOND } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'

const FAILURES_ALLOWED = 10
const WINDOW = MINUTE
const NETWORKS_REMEMBERED = 10_000

interface Attempts {
  /** When the last failures were. */
  failed: number[]
  /** How many are being looked at: each may become a failure, or a flood at once would pass unseen. */
  underWay: number
  /** Those that wait to see what becomes of the ones under way. */
  waiting: (() => void)[]
}

/** Counts failed sign-ins by the network they come from, in a sliding minute. */
export class FailureLimit {
  private readonly attempts = new Map<string, Attempts>()

  constructor(private readonly clock: Clock) {}

  /**
   * Runs `attempt`, which gives undefined where it failed, unless too many failed already.
   * @throws Problem 'throttled'
   */
  async count<T>(address: string, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    const attempts = this.attemptsFrom(networkOf(address))
    while (this.mustWait(attempts)) await new Promise<void>(resolve => attempts.waiting.push(resolve))
    attempts.underWay++
    try {
      const result = await attempt()
      if (result === undefined) attempts.failed.push(this.clock())
      return result
    } finally {
      attempts.underWay--
      for (const wake of attempts.waiting.splice(0)) wake()
    }
  }

  private mustWait(attempts: Attempts): boolean {
    const since = this.clock() - WINDOW
    attempts.failed = attempts.failed.filter(at => at > since)
    if (attempts.failed.length >= FAILURES_ALLOWED) throw throttled(attempts.failed[0] ?? since, since)
    return attempts.failed.length + attempts.underWay >= FAILURES_ALLOWED
  }

  private attemptsFrom(network: string): Attempts {
    const attempts = this.attempts.get(network) ?? { failed: [], underWay: 0, waiting: [] }
    // the network that tried last stands last, so that the first is the one to forget
    this.attempts.delete(network)
    this.attempts.set(network, attempts)
    if (this.attempts.size > NETWORKS_REMEMBERED) this.forgetOldest()
    return attempts
  }

  private forgetOldest() {
    const [oldest] = this.attempts.keys()
    if (oldest !== undefined) this.attempts.delete(oldest)
  }
}

function throttled(oldest: number, since: number) {
  const retryAfter = Math.max(1, Math.ceil((oldest - since) / SECOND))
  return new Problem('throttled', 'Too many failed sign-ins from this address. Please wait a little.', {
    retryAfter,
  })
}
