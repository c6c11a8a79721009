import { DAY } from '../../base/clock.ts'

/** How many days, weeks and months keep a backup, the newest of each. */
const KEPT = { day: 7, week: 4, month: 12 } as const

/** The number of days between 1970-01-01, a Thursday, and the Monday of its week. */
const DAYS_SINCE_MONDAY = 3
const DAYS_PER_WEEK = 7

const PERIODS: { readonly [P in keyof typeof KEPT]: (time: number) => string } = {
  day: time => String(Math.floor(time / DAY)),
  week: time => String(Math.floor((Math.floor(time / DAY) + DAYS_SINCE_MONDAY) / DAYS_PER_WEEK)),
  month: time => new Date(time).toISOString().slice(0, 7),
}

/**
 * Returns the backups that are no longer kept. Of the last seven days with backups, four weeks and twelve months, the
 * newest backup of each is kept. Periods are those of UTC; weeks begin on Monday.
 */
export function outdated<B extends { readonly time: number }>(backups: readonly B[]): B[] {
  const newestFirst = backups.toSorted((a, b) => b.time - a.time)
  const kept = new Set<B>()
  for (const period of ['day', 'week', 'month'] as const) {
    const newest = new Map<string, B>()
    for (const backup of newestFirst) {
      const name = PERIODS[period](backup.time)
      if (!newest.has(name)) newest.set(name, backup)
    }
    for (const backup of [...newest.values()].slice(0, KEPT[period])) kept.add(backup)
  }
  return newestFirst.filter(backup => !kept.has(backup))
}
