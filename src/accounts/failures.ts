import { MINUTE, SECOND, type Clock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'

const FAILURES_ALLOWED = 10
const WINDOW = MINUTE
const ADDRESSES_REMEMBERED = 10_000

interface Attempts {
  /** When the last failures were. */
  failed: number[]
  /** How many are being looked at: each may become a failure, or a flood at once would pass unseen. */
  underWay: number
}

/** Counts failed sign-ins by address, in a sliding minute. */
export class FailureLimit {
  private readonly attempts = new Map<string, Attempts>()

  constructor(private readonly clock: Clock) {}

  /**
   * To be called before credentials from this address are looked at; `end` must follow.
   * @throws Problem 'throttled' if too many failed
   */
  begin(address: string): void {
    const attempts = this.attempts.get(address) ?? { failed: [], underWay: 0 }
    const since = this.clock() - WINDOW
    attempts.failed = attempts.failed.filter(at => at > since)
    if (attempts.failed.length + attempts.underWay >= FAILURES_ALLOWED) throw throttled(attempts.failed[0], since)
    attempts.underWay++
    // the address that tried last stands last, so that the first is the one to forget
    this.attempts.delete(address)
    this.attempts.set(address, attempts)
    this.forget()
  }

  end(address: string, failed: boolean): void {
    const attempts = this.attempts.get(address)
    if (!attempts) return
    attempts.underWay--
    if (failed) attempts.failed.push(this.clock())
    if (attempts.failed.length === 0 && attempts.underWay === 0) this.attempts.delete(address)
  }

  private forget() {
    if (this.attempts.size <= ADDRESSES_REMEMBERED) return
    const [oldest] = this.attempts.keys()
    if (oldest !== undefined) this.attempts.delete(oldest)
  }
}

function throttled(oldest: number | undefined, since: number) {
  const retryAfter = oldest === undefined ? 1 : Math.max(1, Math.ceil((oldest - since) / SECOND))
  return new Problem('throttled', 'Too many failed sign-ins from this address. Please wait a little.', { retryAfter })
}
