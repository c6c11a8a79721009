import { networkOf } from '../../base/address.ts'
import { type Clock, SECOND } from '../../base/clock.ts'
import type { Later } from '../../base/later.ts'
import { Problem } from '../../base/problem.ts'
import { SlidingWindow } from '../../base/slidingWindow.ts'

/** The number of requests that a public route accepts from one network in a minute. */
export const POSTS_PER_MINUTE = 10

/** Limits the requests of each network and each account to a route, in a minute. */
export class RateLimit {
  private readonly networks: SlidingWindow
  private readonly accounts: SlidingWindow

  constructor(clock: Clock) {
    this.networks = new SlidingWindow(clock)
    this.accounts = new SlidingWindow(clock)
  }

  /**
   * Counts one request to a route.
   * @throws Problem 'throttled' if the network has reached the limit within the last minute
   */
  countForNetwork(address: string, route: string, allowed: number): void {
    const key = `${route} ${networkOf(address)}`
    const wait = this.networks.wait(key, allowed)
    if (wait > 0) throw throttled('Too many requests from this address. Please wait a little.', wait)
    this.networks.add(key)
  }

  /**
   * Runs a request of an account and counts it, unless it fails. It is counted while it runs, so that simultaneous
   * requests can't exceed the limit.
   * @throws Problem 'throttled' if the account has reached the limit within the last minute; the request is not run
   */
  async countForAccount<T>(userId: number, route: string, allowed: number, work: () => Later<T>): Promise<T> {
    const undo = this.countOne(userId, route, allowed)
    try {
      return await work()
    } catch (error) {
      undo()
      throw error
    }
  }

  /**
   * Counts one request of an account to a route, or something that counts as one. Returns a function that undoes it.
   * @throws Problem 'throttled' if the account has reached the limit within the last minute
   */
  countOne(userId: number, route: string, allowed: number): () => void {
    const key = `${route} ${userId}`
    const wait = this.accounts.wait(key, allowed)
    if (wait > 0)
      throw throttled(
        `You can send ${allowed} of these requests a minute. Please wait, then try again.`,
        wait,
      )
    const moment = this.accounts.add(key)
    return () => this.accounts.remove(key, moment)
  }
}

const throttled = (message: string, wait: number) =>
  new Problem('throttled', message, { retryAfter: Math.ceil(wait / SECOND) })
