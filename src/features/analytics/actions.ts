import type { Static } from '@sinclair/typebox'
import type { Board } from '../../board.ts'
import type { PageView } from '../../http/request/context.ts'
import { type KeyCount, sortedByCount } from '../../traffic/topCounter.ts'
import type { NewEvent } from './schema.ts'

/** The page view that an event reports. */
export const pageViewOf = ({ path, referrer }: Static<typeof NewEvent>): PageView => ({
  path: path.replace(/[?#].*/, ''),
  referrer,
  isReported: true,
})

/** In the report. */
const TOP = 10

/** What there is to know of a board's visitors, and of how much there is on it. */
export interface AnalyticsReport {
  /** By the number of the day since 1970, oldest first. */
  readonly days: readonly (readonly [day: number, total: number])[]
  readonly paths: readonly KeyCount[]
  readonly countries: readonly KeyCount[]
  readonly sources: readonly KeyCount[]
  readonly jobs: number
  readonly subscribers: number
  readonly users: number
}

/**
 * Reports on today and the days before it.
 * @param length how many days in all
 */
export function analyticsReport({ traffic, jobIndex, store }: Board, length: number): AnalyticsReport {
  const { today } = traffic
  const days = Array.from({ length }, (_, index) => today - length + 1 + index)
  const counts = days.map(day => traffic.countsOn(day))
  return {
    days: days.map((day, index) => [day, counts[index]?.total ?? 0]),
    paths: top(counts.map(({ paths }) => paths)),
    countries: top(counts.map(({ countries }) => countries)),
    sources: top(counts.map(({ sources }) => sources)),
    jobs: jobIndex.active.length,
    subscribers: store.read.subscribers.count,
    users: store.read.users.count,
  }
}

/** The largest counts of many days together. */
function top(days: readonly Iterable<KeyCount>[]): KeyCount[] {
  const sums = new Map<string, number>()
  for (const day of days) for (const [key, count] of day) sums.set(key, (sums.get(key) ?? 0) + count)
  return sortedByCount(sums).slice(0, TOP)
}
