import { setImmediate } from 'node:timers/promises'
import { ANONYMOUS } from '../../base/caller.ts'
import { Semaphore } from '../../base/semaphore.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import type { EncodedBody } from '../../http/response/encodedBody.ts'
import { preferredEncoding } from '../../http/response/negotiation.ts'
import { listedAt } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import { findVisibleJobs } from '../jobs/findJobs.ts'
import { presentJob } from '../jobs/present.ts'
import { descriptionKey, descriptionOf } from './description.ts'
import { filterForPage } from './filterForPage.ts'
import { type PageQuery, queryText, withoutPage } from './query.ts'
import { machineDate } from './view.ts'
import { withoutInvalidXml } from './xml.ts'

const MAX_ENTRIES = 50
/** The maximum length of a feed's descriptions, in UTF-16 units. The first entry may be longer. */
export const MAX_FEED_LENGTH = 2 ** 20

/** The number of feeds that are made at a time. Each takes megabytes. */
const MAX_CONCURRENT = 4
/** The number of feeds that may wait for their turn. */
const MAX_WAITING = 200
export const TOO_MANY_FEEDS = 'Too many feeds are being read. Please try again.'
const turns = new Semaphore(MAX_CONCURRENT, MAX_WAITING, TOO_MANY_FEEDS)

/**
 * Makes a feed as soon as it is its turn, and compresses it in the same turn. Feeds that are made faster than they can be
 * compressed would wait in memory, or be refused after all that work.
 * @throws Problem 'busy' if too many feeds are waiting
 */
export const feedInTurn = (context: RequestContext, make: () => Promise<EncodedBody>): Promise<EncodedBody> =>
  turns.run(async () => {
    const feed = await make()
    const encoding = feed.isCompressible ? preferredEncoding(context.header('accept-encoding')) : undefined
    if (encoding && !feed.compressedNow(encoding)) await feed.compressed(encoding)
    return feed
  })

/** Returns the data of both formats: the newest jobs of a search, ignoring pins, and the feed's title and URLs. */
async function feedOf(board: Board, query: PageQuery) {
  const { config, links } = board
  const found = await findVisibleJobs(board, ANONYMOUS, query.q === undefined ? {} : { q: query.q })
  const newest = filterForPage(found.jobs, query)
    .toSorted((a, b) => b.listedAt - a.listedAt || b.id - a.id)
    .slice(0, MAX_ENTRIES)
  const search = queryText(withoutPage(query))
  return {
    search,
    title: [config.name, query.q ?? query.company].filter(Boolean).join(': '),
    home: links.to(`/${search}`),
    items: await itemsOf(
      board,
      newest.map(({ id }) => id),
    ),
  }
}

/** Returns the entries of these jobs, up to the maximum length. */
async function itemsOf(board: Board, ids: readonly number[]) {
  const items: ReturnType<typeof itemOf>[] = []
  let length = 0
  for (const id of ids) {
    // Rendering a description blocks other requests.
    if (!board.responses.get(descriptionKey(id))) await setImmediate()
    // The job is read after waiting, because it may have changed.
    const job = board.store.read.jobs.get(id)
    if (!job) continue
    const item = itemOf(board, job)
    length += item.html.length
    if (length > MAX_FEED_LENGTH && items.length > 0) break
    items.push(item)
  }
  return items
}

const itemOf = (board: Board, job: JobRow) => ({
  job,
  view: presentJob(job, board.store.read, board.links),
  title: `${job.title} at ${job.company}`,
  link: board.links.to(`/jobs/${job.id}`),
  html: `${descriptionOf(board, job)}<p><a href="${board.links.to(`/jobs/${job.id}/apply`)}">Apply</a></p>`,
})

/** Returns the view of the RSS feed's template. */
export async function presentFeed(board: Board, query: PageQuery) {
  const { search, items, ...feed } = await feedOf(board, query)
  return validForXml({
    ...feed,
    self: board.links.to(`/feed.xml${search}`),
    items: items.map(({ job, view, title, link, html }) => ({
      title,
      link,
      html,
      category: view.category.name,
      date: new Date(listedAt(job)).toUTCString(),
    })),
  })
}

/** Returns a JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export async function jsonFeed(board: Board, query: PageQuery) {
  const { search, items, title, home } = await feedOf(board, query)
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    feed_url: board.links.to(`/feed.json${search}`),
    items: items.map(({ job, view, title: itemTitle, link, html }) => ({
      id: link,
      url: link,
      title: itemTitle,
      content_html: html,
      image: view.preview_image_url,
      date_published: machineDate(listedAt(job)),
      date_modified: machineDate(job.updatedAt),
      authors: [{ name: job.company, url: job.companyWebsite }],
      tags: [view.category.name, view.term.name],
    })),
  }
}

/** Removes from a view's texts the characters that XML can't contain. */
const validForXml = <V>(view: V): V =>
  JSON.parse(JSON.stringify(view), (_, value: unknown) =>
    typeof value === 'string' ? withoutInvalidXml(value) : value,
  )
