import type { Board } from '../../board.ts'
import { type PageQuery, queryText, withoutPage } from './query.ts'

/** What the head of every page says of it. */
export interface Head {
  readonly title: string
  readonly description: string
  /** The page's own URL; empty for one that has none. */
  readonly canonical: string
  /** Whether search engines may list it. */
  readonly is_indexed: boolean
  /** A picture for social cards, or empty. */
  readonly image: string
  /** schema.org's words for search engines, as JSON; or empty. */
  readonly json_ld: string
  readonly feeds: { readonly rss: string; readonly json: string }
}

/** The feeds of what a page shows. */
export const feedsOf = (query: PageQuery) => {
  const text = queryText(withoutPage(query))
  return { rss: `/feed.xml${text}`, json: `/feed.json${text}` }
}

/** The head of a page that is about the board as a whole. */
export const plainHead = (board: Board, title: string): Head => ({
  title: `${title} · ${board.config.name}`,
  description: '',
  canonical: '',
  is_indexed: false,
  image: '',
  json_ld: '',
  feeds: feedsOf({}),
})

/** `1 job`, `25 jobs` */
export const countText = (count: number, noun = 'job') =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

const UNSAFE = /[<>&\u2028\u2029]/g

/** JSON that can stand inside a script element, whatever the texts in it say. */
export const embeddedJson = (value: unknown) =>
  JSON.stringify(value).replace(UNSAFE, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
