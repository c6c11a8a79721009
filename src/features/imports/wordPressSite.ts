import { STATUS } from '../../http/response/errors.ts'
import { fetchInPieces } from './download.ts'
import { fetchJson, type JsonResponse } from './fetchJson.ts'
import { ImportError } from './importError.ts'
import { recordOf, textOf } from './unknownJson.ts'

/** The path of WP Job Manager's jobs in WordPress's REST interface. */
export const LISTINGS = 'wp/v2/job-listings'

/** The relation of a site to its REST interface, in a header and on every page. */
const API_LINK = /<([^<>]*)>\s*;[^,]*rel="?https:\/\/api\.w\.org\/"?/
const API_ELEMENT = /<link\b[^<>]*rel=["']https:\/\/api\.w\.org\/["'][^<>]*>/i
const HREF = /href=["']([^"'<>]*)["']/i

/** The length of a page in which its REST interface is looked for, in bytes. */
const MAX_HEAD = 2 ** 19
/** Matches the content types of files that can be imported themselves. */
const FILE_TYPE = /json|csv|octet-stream/i
const FILE_PATH = /\.(?:jsonl?|ndjson|csv|txt)$/i

/**
 * Finds the REST interface of a WordPress site with WP Job Manager. Returns its address, such as
 * `https://site.example/wp-json/` or `https://site.example/?rest_route=/`, or undefined if the URL is that of a file.
 * @param url the address of the site, of any of its pages, or of the interface
 * @throws ImportError if the URL is a web page, but no such site
 */
export async function findWordPress(url: string): Promise<string | undefined> {
  const own = apiWithin(new URL(url))
  if (own === undefined && FILE_PATH.test(new URL(url).pathname)) return undefined
  const page = own === undefined ? await readPage(url) : undefined
  if (page?.isFile) return undefined
  let refusal: string | undefined
  for (const api of new Set(page ? candidatesOf(page) : [own ?? url])) {
    const response = await fetchJson(apiUrl(api, LISTINGS, { per_page: '1' }))
    if (response.isOk && Array.isArray(response.body)) return api
    refusal ??= refusalOf(response)
  }
  if (refusal !== undefined) throw new ImportError(`${url} ${refusal}`)
  if (!page || page.isHtml) throw new ImportError(`${url} ${NO_SITE}`)
  return undefined
}

const NO_SITE =
  "is a web page. Enter the URL of a board's /jobs.json, or of a WordPress site with WP Job Manager."

/** Returns the URL of a resource. @param api the address of the interface */
export function apiUrl(api: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(api)
  const route = url.searchParams.get('rest_route')
  if (route === null) url.pathname += path
  else url.searchParams.set('rest_route', `${route}${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** Returns the interface that a URL is part of. */
function apiWithin({ origin, pathname, searchParams }: URL): string | undefined {
  const [, folder] = /^(.*\/wp-json)(?:\/|$)/.exec(pathname) ?? []
  if (folder !== undefined) return `${origin}${folder}/`
  return searchParams.has('rest_route') ? `${origin}${pathname}?rest_route=/` : undefined
}

/** What the response to an address reveals about its site. */
interface WebPage {
  readonly url: string
  readonly isHtml: boolean
  /** Whether it is a file that can be imported itself. */
  readonly isFile: boolean
  /** The interface that it links to. */
  readonly link: string | undefined
}

async function readPage(url: string): Promise<WebPage> {
  const head: Uint8Array[] = []
  let size = 0
  const onPiece = (piece: Uint8Array) => {
    head.push(piece)
    size += piece.length
    return size < MAX_HEAD
  }
  const isFile = ({ ok, headers }: Response) => ok && FILE_TYPE.test(headers.get('content-type') ?? '')
  const response = await fetchInPieces(url, 'follow', onPiece, one => !isFile(one))
  const { headers, ok } = response
  const element = API_ELEMENT.exec(Buffer.concat(head).toString())?.[0] ?? ''
  const [, link] = API_LINK.exec(headers.get('link') ?? '') ?? HREF.exec(element) ?? []
  return {
    url: response.url,
    isHtml: ok && /html/i.test(headers.get('content-type') ?? ''),
    isFile: isFile(response),
    link: link === undefined ? undefined : URL.parse(link.replaceAll('&amp;', '&'), response.url)?.href,
  }
}

/** Returns the addresses where the interface of a site may be. */
function candidatesOf({ url, link }: WebPage): string[] {
  const { origin, pathname } = new URL(url)
  const folder = origin + pathname.replace(/\/?(?:index\.php)?$/, '')
  const usual = [folder, origin].flatMap(base => [`${base}/wp-json/`, `${base}/?rest_route=/`])
  return link === undefined ? usual : [link, ...usual]
}

/** Returns why a site has no jobs, as the end of a sentence; undefined if it isn't WordPress. */
function refusalOf({ status, body }: JsonResponse): string | undefined {
  const { code, message } = recordOf(body)
  if (code === 'rest_no_route') return 'is a WordPress site without WP Job Manager.'
  if (typeof code !== 'string') return undefined
  const isRefused = status === STATUS.unauthenticated || status === STATUS.forbidden
  return isRefused ? `doesn't show its jobs to visitors: ${textOf(message)}` : undefined
}
