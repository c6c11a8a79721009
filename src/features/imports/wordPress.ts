import { STATUS } from '../../http/response/errors.ts'
import { MOVED } from '../../store/jobSource.ts'
import type { TableReaders } from '../../store/tables.ts'
import { htmlToText } from '../jobs/htmlToMarkdown.ts'
import { periodEndOf } from '../jobs/publication.ts'
import { bodyOf, fetchJson } from './fetchJson.ts'
import { ImportError } from './importError.ts'
import { type ImportSource, SourceFile } from './source.ts'
import { listOf, recordOf, textOf } from './unknownJson.ts'
import { convertListing, type SiteFacts } from './wordPressJob.ts'
import { WordPressParents } from './wordPressParents.ts'
import { apiUrl, LISTINGS } from './wordPressSite.ts'

const PAGE_SIZE = 100
const MAX_PAGES = 10_000
/** In bytes. */
const MAX_SIZE = 2 ** 31

/** Where jobs are imported to. */
interface Target {
  readonly tables: TableReaders
  readonly defaultPlan: string
  /** In milliseconds since 1970, whole seconds. */
  readonly now: number
  /** Called when a job can't be taken as it is. @param place its number at the site */
  readonly onNote: (place: string, title: string, note: string) => void
  readonly onProgress: (jobs: number, total: number | undefined) => void
}

/** The jobs of a site, as rows. */
export interface WordPressJobs extends ImportSource {
  /** The number of jobs that were imported before, and are left out. */
  readonly known: number
  /** The number of jobs of which the site doesn't say when they end. */
  readonly endless: number
}

/**
 * Reads the jobs of WP Job Manager that visitors of a site see, oldest first.
 * @param api the address of the site's REST interface
 * @throws ImportError
 */
export async function readWordPress(api: string, target: Target): Promise<WordPressJobs> {
  const site = await readSite(api, target)
  const parents = new WordPressParents(api)
  const file = SourceFile.createSpool(api)
  const places: string[] = []
  let [known, endless, done] = [0, 0, 0]
  try {
    for await (const { listings, total } of pagesOf(api)) {
      let lines = ''
      for (const listing of listings) {
        const id = textOf(listing['id'])
        if (target.tables.jobs.findIdBy('externalId', id, site.source) === undefined) {
          const { row, notes, hasEnd } = convertListing(listing, await parents.of(listing), site)
          places.push(`Job ${id}`)
          lines += `${JSON.stringify(row)}\n`
          if (!hasEnd) endless++
          for (const note of notes) target.onNote(`Job ${id}`, titleOf(listing), note)
        } else known++
        target.onProgress(++done, total)
      }
      await file.append(Buffer.from(lines))
      if (file.size > MAX_SIZE)
        throw new ImportError(`${api} has more than ${MAX_SIZE / 2 ** 30} GiB of jobs.`)
    }
  } catch (error) {
    file.close()
    throw error
  }
  const placeOf = (number: number) => places[number - 1] ?? ''
  if (places.length === 0) file.close()
  return { files: places.length === 0 ? [] : [file], origin: new URL(api).origin, placeOf, known, endless }
}

const titleOf = (listing: Readonly<Record<string, unknown>>) =>
  htmlToText(textOf(recordOf(listing['title'])['rendered']))

/** Yields the pages of the list. Jobs that are posted meanwhile come at its end. A job that is in two pages comes once. */
async function* pagesOf(api: string) {
  const seen = new Set<string>()
  let pages = 1
  for (let page = 1; page <= Math.min(pages, MAX_PAGES); page++) {
    const query = { orderby: 'id', order: 'asc', _embed: 'wp:term,wp:featuredmedia' }
    const response = await fetchJson(
      apiUrl(api, LISTINGS, { per_page: String(PAGE_SIZE), page: String(page), ...query }),
    )
    // Jobs that are removed meanwhile can leave the last page without any.
    if (page > 1 && response.status === STATUS.malformed) return
    const all = listOf(bodyOf(response)).map(recordOf)
    const listings = all.filter(({ id }) => textOf(id) === '' || !seen.has(textOf(id)))
    for (const { id } of listings) seen.add(textOf(id))
    if (listings.length === 0) return
    // Some proxies remove the headers.
    const next = all.length < PAGE_SIZE ? page : page + 1
    pages = Number(response.headers.get('x-wp-totalpages')) || next
    const total = Number(response.headers.get('x-wp-total')) || undefined
    yield { listings, total }
  }
}

/** Reads what the site says about itself. Some sites hide that. */
async function readSite(api: string, { tables, defaultPlan, now }: Target): Promise<SiteFacts> {
  const { isOk, body } = await fetchJson(apiUrl(api, ''))
  const { name, home, gmt_offset: offset } = isOk ? recordOf(body) : {}
  const { host, origin, pathname } = new URL(api)
  const folder = pathname.replace(/\/(?:wp-json\/)?$/, '')
  const plan = tables.plans.findBy('name', defaultPlan)
  return {
    name: htmlToText(textOf(name)) || host,
    home: URL.canParse(textOf(home)) ? textOf(home) : `${origin}${folder}/`,
    offset: Number(offset) || 0,
    source: sourceOf(`${host}${folder}`),
    now,
    defaultEnd: plan ? periodEndOf(now, plan) : null,
  }
}

const MAX_SOURCE_LENGTH = 64

/** Returns the source of a site's jobs, so that a second import leaves them out. */
const sourceOf = (address: string) =>
  `${MOVED}${address.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-')}`.slice(0, MAX_SOURCE_LENGTH)
