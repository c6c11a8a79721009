import type { Static } from '@sinclair/typebox'
import type { Board } from '../../board.ts'
import type { PageView } from '../../http/request/context.ts'
import type { DatedCounts } from '../../store/countRows.ts'
import { type KeyCount, sortedByCount } from '../../traffic/topCounter.ts'
import type { Validation } from '../../validation/validation.ts'
import { pastDays, sumsOf } from './pastDays.ts'
import type { NewEvent } from './schema.ts'

/** Returns what an event reports. @throws Problem 'invalid' */
export function pageViewOf({ jobIndex }: Board, input: Validation<Static<typeof NewEvent>>): PageView {
  const id = input.value('job')
  const step = input.value('kind') ?? 'view'
  if (id !== undefined && !jobIndex.isActive(id)) input.addError('job', "doesn't match any active job")
  if (id === undefined && step !== 'view')
    input.addError('job', 'is required for impressions and apply clicks')
  const { path, referrer } = input.valueOrThrow()
  return {
    path: path.replace(/[?#].*/, ''),
    job: id === undefined ? undefined : jobIndex.get(id),
    step,
    referrer,
    isReported: true,
  }
}

/** The number of entries in each list of the statistics. */
const TOP = 10

/** The statistics of a board's visitors and records. */
export interface AnalyticsReport {
  /** The counts of each day, by its number since 1970, oldest first. */
  readonly days: readonly (readonly [day: number, total: number])[]
  /** The counts of all jobs on the same days. */
  readonly funnel: readonly DatedCounts[]
  readonly paths: readonly KeyCount[]
  readonly countries: readonly KeyCount[]
  readonly sources: readonly KeyCount[]
  readonly jobs: number
  readonly subscribers: number
  readonly users: number
}

/**
 * Returns the statistics of the last days.
 * @param length the number of days, including today
 */
export function analyticsReport(board: Board, length: number): AnalyticsReport {
  const { traffic, jobIndex, store } = board
  const past = pastDays(board, length - 1)
  const now = traffic.countsOn(past.today)
  const days = [...past.days, now].map((counts, index) => ({
    day: past.today - length + 1 + index,
    ...counts,
  }))
  return {
    days: days.map(({ day, total }) => [day, total]),
    funnel: days.map(({ day, funnel }) => ({ day, ...funnel })),
    paths: top(past.paths, now.paths),
    countries: top(past.countries, now.countries),
    sources: top(past.sources, now.sources),
    jobs: jobIndex.active.length,
    subscribers: store.read.subscribers.count,
    users: store.read.users.count,
  }
}

/** Returns the largest counts of some days together. */
const top = (...days: readonly Iterable<KeyCount>[]): KeyCount[] => sortedByCount(sumsOf(days)).slice(0, TOP)
