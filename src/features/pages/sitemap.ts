import type { Board } from '../../board.ts'
import { machineDate } from './dates.ts'

const URLS_AT_MOST = 50_000

/** What the template of the sitemap knows (https://www.sitemaps.org/protocol.html). */
export function presentSitemap({ listing, links }: Board) {
  const jobs = listing.active.slice(0, URLS_AT_MOST - 1)
  const changed = jobs.reduce((last, { updatedAt }) => Math.max(last, updatedAt), 0)
  const home = { location: links.to('/'), changed: changed === 0 ? '' : machineDate(changed) }
  const urls = jobs.map(({ id, updatedAt }) => ({
    location: links.to(`/jobs/${id}`),
    changed: machineDate(updatedAt),
  }))
  return { urls: [home, ...urls] }
}

/** What robots are told: that all is theirs to read, and where it begins. */
export const robotsText = ({ links }: Board) =>
  `User-agent: *\nAllow: /\n\nSitemap: ${links.to('/sitemap.xml')}\n`
