import { networkOf } from '../base/address.ts'
import { type Clock, MINUTE, SECOND } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'

/** How many POSTs a path that anybody may send to takes from one network in a minute. */
export const POSTS_PER_MINUTE = 10

const WINDOW = MINUTE
/** Of pairs of route and network; the one that asked longest ago is forgotten first. */
const REMEMBERED_AT_MOST = 10_000

/** Counts what each network asks of each route that has a limit, in a sliding minute. */
export class RateLimit {
  private readonly asked = new Map<string, readonly number[]>()

  constructor(private readonly clock: Clock) {}

  /**
   * Counts one request, unless as many as are allowed came within the last minute.
   * @throws Problem 'throttled'
   */
  spend(route: string, address: string, allowed: number): void {
    const key = `${route} ${networkOf(address)}`
    const now = this.clock()
    // a moment ahead of now is from before the clock was set back
    const recent = this.asked.get(key)?.filter(at => at > now - WINDOW && at <= now) ?? []
    const oldest = recent.length >= allowed ? recent[0] : undefined
    // the network that asked last stands last, so that the first is the one to forget
    this.asked.delete(key)
    this.asked.set(key, oldest === undefined ? [...recent, now] : recent)
    if (this.asked.size > REMEMBERED_AT_MOST) this.forgetOldest()
    if (oldest !== undefined) throw throttled(oldest + WINDOW - now)
  }

  private forgetOldest() {
    const [oldest] = this.asked.keys()
    if (oldest !== undefined) this.asked.delete(oldest)
  }
}

const throttled = (wait: number) =>
  new Problem('throttled', 'Too many requests from this address. Please wait a little.', {
    retryAfter: Math.ceil(wait / SECOND),
  })
