import { dateOfDay } from '../../base/clock.ts'
import type { FunnelCounts } from '../../store/countRows.ts'
import type { JobRow } from '../../store/rows.ts'
import type { JobTraffic } from '../../traffic/jobCounters.ts'
import { type KeyCount, sortedByCount } from '../../traffic/topCounter.ts'
import type { JobStats } from './schema.ts'

/** The number of entries in each list of the statistics. */
const TOP = 10

/** Returns a job's statistics of some days, given their numbers since 1970. */
export function presentJobStats(traffic: JobTraffic, days: readonly number[]): JobStats {
  const column = (name: keyof FunnelCounts) => {
    const counts = days.map(day => traffic.days.get(day)?.[name] ?? 0)
    return {
      total: counts.reduce((sum, count) => sum + count, 0),
      per_day: Object.fromEntries(days.map((day, at) => [dateOfDay(day), counts[at] ?? 0])),
    }
  }
  return {
    impressions: column('impressions'),
    views: column('views'),
    apply_clicks: column('applyClicks'),
    top_sources: topOf(traffic.sources),
    top_countries: topOf(traffic.countries),
  }
}

const topOf = (counts: readonly KeyCount[]) => Object.fromEntries(sortedByCount(counts).slice(0, TOP))

/** Returns the URL that an application goes to, in ASCII: a page, or an e-mail with the job's title as its subject. */
export function applicationAddress({ applicationType, applicationUrl, applicationEmail, title }: JobRow) {
  if (applicationType === 'url') return new URL(applicationUrl).href
  const at = applicationEmail.lastIndexOf('@')
  const [name, domain] = [applicationEmail.slice(0, at), applicationEmail.slice(at + 1)].map(
    encodeURIComponent,
  )
  return `mailto:${name}@${domain}?subject=${encodeURIComponent(title)}`
}
