import { setImmediate } from 'node:timers/promises'
import { ANONYMOUS } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import type { JobRow } from '../../store/rows.ts'
import { findJobs } from '../jobs/lists.ts'
import { presentJob } from '../jobs/present.ts'
import { machineDate } from './dates.ts'
import { descriptionOf } from './description.ts'
import { type PageQuery, queryText, withoutPage } from './query.ts'

const ENTRIES = 50
/** Characters of all descriptions in a feed. Its first entry is always whole. */
export const FEED_LENGTH = 2 ** 20

/** The newest jobs of a search, whatever is pinned, and what else a feed says in either form. */
async function feedOf(board: Board, query: PageQuery) {
  const { config, links } = board
  const found = await findJobs(board, ANONYMOUS, withoutPage(query))
  const newest = found.toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id).slice(0, ENTRIES)
  const search = queryText(withoutPage(query))
  return {
    search,
    title: query.q === undefined ? config.name : `${config.name}: ${query.q}`,
    home: links.to(`/${search}`),
    items: await itemsOf(
      board,
      newest.map(({ id }) => id),
    ),
  }
}

/** The entries of these jobs, as far as there is room for them. */
async function itemsOf(board: Board, ids: readonly number[]) {
  const items: ReturnType<typeof itemOf>[] = []
  let length = 0
  for (const id of ids) {
    // to render one takes a while, in which nobody is answered
    if (!board.descriptions.get(id)) await setImmediate()
    // read only now, since it may have changed meanwhile
    const job = board.store.read.jobs.get(id)
    if (!job) continue
    const item = itemOf(board, job)
    length += item.html.length
    if (length > FEED_LENGTH && items.length > 0) break
    items.push(item)
  }
  return items
}

const itemOf = (board: Board, job: JobRow) => ({
  job,
  shown: presentJob(job, board.store.read, board.links),
  title: `${job.title} at ${job.company}`,
  link: board.links.to(`/jobs/${job.id}`),
  html: descriptionOf(board, job),
})

/** What the template of the RSS feed knows. */
export async function presentFeed(board: Board, query: PageQuery) {
  const { search, items, ...feed } = await feedOf(board, query)
  return speakable({
    ...feed,
    self: board.links.to(`/feed.xml${search}`),
    items: items.map(({ job, shown, title, link, html }) => ({
      title,
      link,
      html,
      category: shown.category.name,
      date: new Date(job.createdAt).toUTCString(),
    })),
  })
}

/** A JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export async function jsonFeed(board: Board, query: PageQuery) {
  const { search, items, title, home } = await feedOf(board, query)
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    feed_url: board.links.to(`/feed.json${search}`),
    items: items.map(({ job, shown, title: itemTitle, link, html }) => ({
      id: link,
      url: link,
      title: itemTitle,
      content_html: html,
      image: shown.preview_image_url,
      date_published: machineDate(job.createdAt),
      date_modified: machineDate(job.updatedAt),
      authors: [{ name: job.company, url: job.companyWebsite }],
      tags: [shown.category.name, shown.term.name],
    })),
  }
}

// what XML 1.0 can't hold, even escaped
const UNSPEAKABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Takes out of a view's texts what XML has no way to say. */
const speakable = <V>(view: V): V =>
  JSON.parse(JSON.stringify(view), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(UNSPEAKABLE, '') : value,
  )
