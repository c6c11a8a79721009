import { dateOfDay } from '../../base/clock.ts'
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
  events_per_day: Object.fromEntries(days.map(([day, total]) => [dateOfDay(day), total])),
  top_paths: Object.fromEntries(paths),
  top_countries: Object.fromEntries(countries),
  top_sources: Object.fromEntries(sources),
  jobs,
  subscribers,
  users,
})
