import { htmlToText } from '../jobs/htmlToMarkdown.ts'
import { fetchJson } from './fetchJson.ts'
import { listOf, recordOf, textOf } from './unknownJson.ts'
import type { ListingParents } from './wordPressJob.ts'
import { apiUrl } from './wordPressSite.ts'

/** The fields of a job that have the ids of its categories and types, which are paths of the interface too. */
const CATEGORIES = 'job-categories'
const TYPES = 'job-types'

/** Finds the names of categories and types, and the addresses of logos. A site may embed them in its jobs, or not. */
export class WordPressParents {
  /** The names and addresses by their paths. */
  private readonly known = new Map<string, string>()

  /** @param api the address of the site's REST interface */
  constructor(private readonly api: string) {}

  /** @throws ImportError if the site doesn't respond */
  async of(listing: Readonly<Record<string, unknown>>): Promise<ListingParents> {
    this.remember(recordOf(listing['_embedded']))
    const [logo = ''] = await this.valuesOf(
      'media',
      [listing['featured_media']],
      media => media['source_url'],
    )
    return {
      categories: await this.namesOf(CATEGORIES, listing[CATEGORIES]),
      types: await this.namesOf(TYPES, listing[TYPES]),
      logo,
    }
  }

  private remember(embedded: Readonly<Record<string, unknown>>) {
    for (const each of listOf(embedded['wp:term']).flatMap(listOf)) {
      const { id, name, taxonomy } = recordOf(each)
      const path = taxonomy === 'job_listing_type' ? TYPES : CATEGORIES
      if (name !== undefined) this.known.set(`${path}/${textOf(id)}`, htmlToText(textOf(name)))
    }
    for (const each of listOf(embedded['wp:featuredmedia'])) {
      const { id, source_url: url } = recordOf(each)
      if (url !== undefined) this.known.set(`media/${textOf(id)}`, textOf(url))
    }
  }

  private async namesOf(path: string, ids: unknown): Promise<string[]> {
    return await this.valuesOf(path, listOf(ids), ({ name }) => htmlToText(textOf(name)))
  }

  /** Returns the values of records, which are fetched unless they are known. A record that isn't public has none. */
  private async valuesOf(
    path: string,
    ids: readonly unknown[],
    read: (record: Readonly<Record<string, unknown>>) => unknown,
  ): Promise<string[]> {
    const values: string[] = []
    for (const id of ids.map(textOf)) {
      if (!/^[1-9]\d*$/.test(id)) continue
      const key = `${path}/${id}`
      let value = this.known.get(key)
      if (value === undefined) {
        const { isOk, body } = await fetchJson(apiUrl(this.api, `wp/v2/${key}`))
        value = isOk ? textOf(read(recordOf(body))) : ''
        this.known.set(key, value)
      }
      if (value !== '') values.push(value)
    }
    return values
  }
}
