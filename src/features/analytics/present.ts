import { DAY } from '../../base/clock.ts'
import type { AnalyticsReport } from './actions.ts'
import type { Analytics } from './schema.ts'

/** Returns a report as administrators see it. */
export const presentReport = ({
  days,
  paths,
  countries,
  sources,
  jobs,
  subscribers,
  users,
}: AnalyticsReport): Analytics => ({
  events_per_day: Object.fromEntries(days.map(([day, total]) => [dateOf(day), total])),
  top_paths: Object.fromEntries(paths),
  top_countries: Object.fromEntries(countries),
  top_sources: Object.fromEntries(sources),
  jobs,
  subscribers,
  users,
})

/** Formats a day, counted from 1970-01-01, as `2026-01-10`. */
const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)
