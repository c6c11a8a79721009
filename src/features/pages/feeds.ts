import { nobody } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { findJobs } from '../jobs/lists.ts'
import { presentJob } from '../jobs/present.ts'
import { machineDate } from './dates.ts'
import { renderDescription } from './description.ts'
import { type PageQuery, queryText, withoutPage } from './query.ts'

const ENTRIES = 50

/** The newest jobs of a search, whatever is pinned, and what else a feed says in either form. */
async function feedOf(board: Board, query: PageQuery) {
  const { config, links, store } = board
  const found = await findJobs(board, nobody, withoutPage(query))
  const newest = found.toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id).slice(0, ENTRIES)
  const jobs = newest.flatMap(({ id }) => store.read.jobs.get(id) ?? [])
  const search = queryText(withoutPage(query))
  return {
    search,
    title: query.q === undefined ? config.name : `${config.name}: ${query.q}`,
    home: links.to(`/${search}`),
    items: jobs.map(job => ({
      job,
      shown: presentJob(job, store.read, links),
      title: `${job.title} at ${job.company}`,
      link: links.to(`/jobs/${job.id}`),
      html: renderDescription(job.description),
    })),
  }
}

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
