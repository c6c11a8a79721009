import { check, type Sent } from '../../base/check.ts'
import type { Board } from '../../board.ts'
import type { View } from '../../http/exchange.ts'
import { type Count, largest } from '../../traffic/tally.ts'
import { NewEvent } from './schema.ts'

/**
 * The page view that an event tells of.
 * @throws Problem 'invalid'
 */
export function readEvent(sent: Sent): View {
  const { path, referrer } = check(NewEvent, sent).settle()
  return { path: path.replace(/[?#].*/, ''), referrer, isReported: true }
}

/** In the report. */
const TOP = 10

/** What there is to know of a board's visitors, and of how much there is on it. */
export interface Report {
  /** By the number of the day since 1970, oldest first. */
  readonly days: readonly (readonly [day: number, total: number])[]
  readonly paths: readonly Count[]
  readonly countries: readonly Count[]
  readonly sources: readonly Count[]
  readonly jobs: number
  readonly subscribers: number
  readonly users: number
}

/**
 * Reports on today and the days before it.
 * @param length how many days in all
 */
export function report({ traffic, listing, store }: Board, length: number): Report {
  const { today } = traffic
  const days = Array.from({ length }, (_, index) => today - length + 1 + index)
  const counts = days.map(day => traffic.countsOn(day))
  return {
    days: days.map((day, index) => [day, counts[index]?.total ?? 0]),
    paths: top(counts.map(({ paths }) => paths)),
    countries: top(counts.map(({ countries }) => countries)),
    sources: top(counts.map(({ sources }) => sources)),
    jobs: listing.active.length,
    subscribers: store.read.subscribers.count,
    users: store.read.users.count,
  }
}

/** The largest counts of many days together. */
function top(days: readonly Iterable<Count>[]): Count[] {
  const sums = new Map<string, number>()
  for (const day of days) for (const [key, count] of day) sums.set(key, (sums.get(key) ?? 0) + count)
  return largest(sums).slice(0, TOP)
}
