import { dateOfDay } from '../../base/clock.ts'
import type { DatedCounts, FunnelCounts } from '../../store/countRows.ts'
import type { AnalyticsReport } from './actions.ts'
import type { Analytics, Funnel } from './schema.ts'

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

/** Returns the steps to an application of all jobs, by day. */
export const presentFunnel = ({ funnel }: AnalyticsReport): Funnel => ({
  impressions: dailyCounts(funnel, 'impressions'),
  views: dailyCounts(funnel, 'views'),
  apply_clicks: dailyCounts(funnel, 'applyClicks'),
})

/** Returns one count of some days by date, and their sum. */
export const dailyCounts = (days: readonly DatedCounts[], name: keyof FunnelCounts) => ({
  total: days.reduce((sum, counts) => sum + counts[name], 0),
  per_day: Object.fromEntries(days.map(counts => [dateOfDay(counts.day), counts[name]])),
})
