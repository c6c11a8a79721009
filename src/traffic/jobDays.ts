import type { DatedCounts, JobDaysRow } from '../store/countRows.ts'

/** How many days the counts of each day are kept. */
export const RETENTION_DAYS = 400

/** Returns the days in a row, oldest first. */
export const daysOf = ({ from, impressions, views, applyClicks }: JobDaysRow): DatedCounts[] =>
  impressions.map((count, at) => ({
    day: from + at,
    impressions: count,
    views: views[at] ?? 0,
    applyClicks: applyClicks[at] ?? 0,
  }))

/** Returns the last day in a row. */
export const lastDayOf = ({ from, impressions }: JobDaysRow) => from + impressions.length - 1

/**
 * Returns a job's row of days with further days in it, and without those that are too old. A day that is already there
 * is replaced.
 * @param today the number of the current day
 */
export function addDays(
  row: JobDaysRow | undefined,
  id: number,
  added: readonly DatedCounts[],
  today: number,
): JobDaysRow {
  const counts = new Map([...(row ? daysOf(row) : []), ...added].map(day => [day.day, day]))
  const kept = [...counts.keys()].filter(day => day >= today - RETENTION_DAYS)
  const from = kept.length > 0 ? Math.min(...kept) : today
  const days = Array.from({ length: Math.max(from, ...kept) - from + 1 }, (_, at) => counts.get(from + at))
  return {
    id,
    from,
    impressions: days.map(day => day?.impressions ?? 0),
    views: days.map(day => day?.views ?? 0),
    applyClicks: days.map(day => day?.applyClicks ?? 0),
  }
}
