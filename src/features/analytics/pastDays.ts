import { LRUCache } from 'lru-cache'
import type { Board } from '../../board.ts'
import type { DailyCounts } from '../../traffic/dailyCounts.ts'
import type { KeyCount } from '../../traffic/topCounter.ts'

/** The periods whose days are kept. */
const MAX_PERIODS = 4

/** The days of a period before today, oldest first, with the sums of their keys. */
interface PastDays {
  readonly today: number
  readonly days: readonly Pick<DailyCounts, 'total' | 'funnel'>[]
  readonly paths: ReadonlyMap<string, number>
  readonly countries: ReadonlyMap<string, number>
  readonly sources: ReadonlyMap<string, number>
}

/** The periods of each board by their lengths. Days before today don't change any more, and reading a year takes 20 ms. */
const periods = new WeakMap<Board, LRUCache<number, PastDays>>()

/** Returns the days before today. @param length their number */
export function pastDays(board: Board, length: number): PastDays {
  const { today } = board.traffic
  const cache = periods.get(board) ?? new LRUCache<number, PastDays>({ max: MAX_PERIODS })
  periods.set(board, cache)
  const cached = cache.get(length)
  if (cached?.today === today) return cached
  const read = readDays(board, today, length)
  cache.set(length, read)
  return read
}

function readDays({ traffic }: Board, today: number, length: number): PastDays {
  const days = Array.from({ length }, (_, index) => traffic.countsOn(today - length + index))
  return {
    today,
    days: days.map(({ total, funnel }) => ({ total, funnel: { ...funnel } })),
    paths: sumsOf(days.map(({ paths }) => paths)),
    countries: sumsOf(days.map(({ countries }) => countries)),
    sources: sumsOf(days.map(({ sources }) => sources)),
  }
}

/** Adds up counts by key. */
export function sumsOf(counts: readonly Iterable<KeyCount>[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const each of counts) for (const [key, count] of each) sums.set(key, (sums.get(key) ?? 0) + count)
  return sums
}
