import type { Row } from './rows.ts'

/** The steps from a job in a list to an application: it is shown in a list, read, and somebody clicks Apply. */
export const FUNNEL_STEPS = ['impression', 'view', 'apply'] as const
export type FunnelStep = (typeof FUNNEL_STEPS)[number]

/** How often each step happened. */
export interface FunnelCounts {
  readonly impressions: number
  readonly views: number
  readonly applyClicks: number
}

/** The name of the count of each step. */
export const FUNNEL_COLUMNS = {
  impression: 'impressions',
  view: 'views',
  apply: 'applyClicks',
} as const satisfies Record<FunnelStep, keyof FunnelCounts>

export const NO_FUNNEL_COUNTS: FunnelCounts = { impressions: 0, views: 0, applyClicks: 0 }

/** The counts of a day (UTC), by its number since 1970. */
export interface DatedCounts extends FunnelCounts {
  readonly day: number
}

export type KeyCounts = readonly (readonly [key: string, count: number])[]

/** The counts of a job, under the job's id. It is small, because it is written whenever a count changes. */
export interface ViewsRow extends Row, FunnelCounts {
  /** The latest day with counts; null if there is none yet. */
  readonly latest: DatedCounts | null
  /** The largest counts of the hosts and countries that views came from. */
  readonly sources: KeyCounts
  readonly countries: KeyCounts
}

/** The counts of a job on the days before the latest one, under the job's id. Each array has a number for each day. */
export interface JobDaysRow extends Row {
  /** The first day, as its number since 1970. */
  readonly from: number
  readonly impressions: readonly number[]
  readonly views: readonly number[]
  readonly applyClicks: readonly number[]
}

/** The counts of a day (UTC), whose id is the number of days since 1970. */
export interface DayRow extends Row {
  /** The number of all page views, including those whose keys were dropped. */
  readonly total: number
  /** The counts of all jobs together, including jobs that were deleted later. */
  readonly funnel: FunnelCounts
  readonly paths: KeyCounts
  readonly countries: KeyCounts
  readonly sources: KeyCounts
}
