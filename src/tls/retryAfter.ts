import { SECOND, systemClock } from '../base/clock.ts'

/** Parses the header `Retry-After`, in seconds or as a date. Returns milliseconds from now; undefined if it is invalid. */
export function retryAfterOf(header: unknown, clock = systemClock): number | undefined {
  if (typeof header !== 'string') return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND
  const wait = Date.parse(header) - clock()
  return wait > 0 ? wait : undefined
}
