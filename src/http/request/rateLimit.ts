import { networkOf } from '../../base/address.ts'
import { type Clock, SECOND } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { SlidingWindow } from '../../base/slidingWindow.ts'

/** How many POSTs a path that anybody may send to takes from one network in a minute. */
export const POSTS_PER_MINUTE = 10

/** How many jobs an account that is no administrator may post in a minute. */
export const JOBS_PER_MINUTE = 60

/** Limits how many requests a network, and how many jobs an account, may send in a minute. */
export class RateLimit {
  private readonly requests: SlidingWindow
  private readonly jobs: SlidingWindow

  constructor(clock: Clock) {
    this.requests = new SlidingWindow(clock)
    this.jobs = new SlidingWindow(clock)
  }

  /**
   * Counts one request, unless as many as are allowed came within the last minute.
   * @throws Problem 'throttled'
   */
  spend(route: string, address: string, allowed: number): void {
    const key = `${route} ${networkOf(address)}`
    const wait = this.requests.wait(key, allowed)
    if (wait > 0) throw throttled('Too many requests from this address. Please wait a little.', wait)
    this.requests.add(key)
  }

  /**
   * Posts a job for an account, unless it posted as many as are allowed within the last minute. One that is refused does
   * not count, but it does while it is under way: or many at once would pass.
   * @throws Problem 'throttled' before anything is done, and whatever `post` throws
   */
  async spendJob<T>(userId: number, post: () => Promise<T>): Promise<T> {
    const key = String(userId)
    const wait = this.jobs.wait(key, JOBS_PER_MINUTE)
    if (wait > 0)
      throw throttled(`You can post ${JOBS_PER_MINUTE} jobs a minute. Please wait, then try again.`, wait)
    const moment = this.jobs.add(key)
    try {
      return await post()
    } catch (error) {
      this.jobs.remove(key, moment)
      throw error
    }
  }
}

const throttled = (message: string, wait: number) =>
  new Problem('throttled', message, { retryAfter: Math.ceil(wait / SECOND) })
