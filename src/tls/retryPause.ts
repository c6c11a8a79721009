import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import { AcmeError } from './acmeProblem.ts'

/** In milliseconds. Let's Encrypt allows five failures an hour, which pauses that grow from this on stay below. */
const FIRST_PAUSE = 2 * MINUTE
/** In milliseconds, the longest pause without a certificate, and with one. */
const MAX_PAUSE = { without: HOUR, with: 6 * HOUR }
const MAX_RETRY_AFTER = 7 * DAY
/** The pauses differ by up to this part, so that boards don't all come back at the same time. */
const JITTER = 0.2

/** Returns how long to wait after a number of failures in a row, of which `error` is the last, in milliseconds. */
export function retryPause(failures: number, error: unknown, hasCertificate: boolean): number {
  const longest = hasCertificate ? MAX_PAUSE.with : MAX_PAUSE.without
  const pause = Math.min(FIRST_PAUSE * 2 ** (failures - 1), longest)
  const asked = error instanceof AcmeError ? (error.retryAfter ?? 0) : 0
  return Math.max(pause * (1 + JITTER * (2 * Math.random() - 1)), Math.min(asked, MAX_RETRY_AFTER))
}
