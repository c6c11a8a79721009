import type { Board } from '../../board.ts'
import { type PageQuery, queryText, withoutPage } from './query.ts'

/** The contents of a page's head. */
export interface Head {
  readonly title: string
  readonly description: string
  /** The page's own URL, or empty. */
  readonly canonical: string
  /** Whether search engines may list it. */
  readonly is_indexed: boolean
  /** The URL of the preview image for social networks, or empty. */
  readonly image: string
  /** Structured data for search engines (schema.org) as JSON, or empty. */
  readonly json_ld: string
  readonly feeds: { readonly rss: string; readonly json: string }
}

/** Returns the paths of the feeds with the same filters as a page. */
export const feedsOf = (query: PageQuery) => {
  const text = queryText(withoutPage(query))
  return { rss: `/feed.xml${text}`, json: `/feed.json${text}` }
}

/** Returns the head of a page without a URL of its own. */
export const plainHead = (board: Board, title: string): Head => ({
  title: `${title} · ${board.config.name}`,
  description: '',
  canonical: '',
  is_indexed: false,
  image: '',
  json_ld: '',
  feeds: feedsOf({}),
})

/** Formats a count: `1 job`, `25 jobs`. */
export const countText = (count: number, noun = 'job') =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

const UNSAFE = /[<>&\u2028\u2029]/g

/** Serializes a value as JSON that is safe inside a script element. */
export const embeddedJson = (value: unknown) =>
  JSON.stringify(value).replace(UNSAFE, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const LONG = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Formats a time in milliseconds as `10 January 2026`. */
export const longDate = (ms: number) => LONG.format(ms)

const SHORT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats a time in milliseconds as `10 Jan 2026`. */
export const shortDate = (ms: number) => SHORT.format(ms)

/** Formats a time in milliseconds as `2026-01-10T18:21:59Z`. */
export const machineDate = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
