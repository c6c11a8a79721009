import type { Board } from '../../board.ts'
import { machineDate } from './view.ts'

/** The maximum number of URLs in a sitemap (https://www.sitemaps.org/protocol.html). */
const MAX_URLS = 50_000

/** Returns the view of the sitemap's template. */
export function presentSitemap({ jobIndex, links }: Board) {
  const jobs = jobIndex.active.slice(0, MAX_URLS - 1)
  const changed = jobs.reduce((last, { updatedAt }) => Math.max(last, updatedAt), 0)
  const home = { location: links.to('/'), changed: changed === 0 ? '' : machineDate(changed) }
  const urls = jobs.map(({ id, updatedAt }) => ({
    location: links.to(`/jobs/${id}`),
    changed: machineDate(updatedAt),
  }))
  return { urls: [home, ...urls] }
}

/** Returns robots.txt: everything may be crawled, except redirects to applications. */
export const robotsText = ({ links }: Board) =>
  `User-agent: *\nAllow: /\nDisallow: /jobs/*/apply\n\nSitemap: ${links.to('/sitemap.xml')}\n`
