import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'

/** How long after each failed try the next one follows, as Standard Webhooks recommends. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY]
/** The share of a delay that is added at random, so that many boards don't all come back at once. */
const JITTER = 0.1
/** The longest delay that a receiver can ask for. */
const MAX_RETRY_AFTER = DAY

/**
 * Returns in how many milliseconds a failed delivery is tried again; undefined if it was tried often enough.
 * @param attempts the number of failed tries
 * @param retryAfter the milliseconds that the receiver asked for
 */
export function delayAfter(attempts: number, retryAfter = 0): number | undefined {
  const delay = DELAYS[attempts - 1]
  if (delay === undefined) return undefined
  return Math.max(delay * (1 + JITTER * Math.random()), Math.min(retryAfter, MAX_RETRY_AFTER))
}

/** Parses a `Retry-After` header, seconds or a date, into milliseconds from now; undefined if it is neither. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const value = header.trim()
  if (/^\d{1,10}$/.test(value)) return Number(value) * SECOND
  const ms = /^[a-z]/i.test(value) ? Date.parse(value) - now : NaN
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
