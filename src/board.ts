import { join } from 'node:path'
import { Credentials } from './accounts/credentials.ts'
import { Passwords } from './accounts/passwords.ts'
import type { Clock } from './base/clock.ts'
import type { Config } from './config/config.ts'
import type { Log } from './http/log.ts'
import { clientAddress } from './http/request/clientAddress.ts'
import type { EncodedBody, RenderedList } from './http/response/encodedBody.ts'
import { Links } from './http/response/links.ts'
import { ResponseCache } from './http/response/responseCache.ts'
import { CardRenderer } from './images/cardRenderer.ts'
import { LogoEncoder } from './images/logoEncoder.ts'
import { LOGO_FOLDER, LogoFiles } from './images/logoFiles.ts'
import { Mailer } from './mail/mailer.ts'
import { JobIndex } from './search/jobIndex.ts'
import { SearchIndex } from './search/searchIndex.ts'
import { SearchSource } from './search/searchSource.ts'
import { Store } from './store/store.ts'
import type { Change, TableName } from './store/tables.ts'
import { isBot, isCrawler } from './traffic/bots.ts'
import { Countries } from './traffic/countries.ts'
import type { VisitReader } from './traffic/dailyCounts.ts'
import { sourceHostOf } from './traffic/referrer.ts'
import { Traffic } from './traffic/traffic.ts'

/** In the data directory. It can be deleted at any time. */
const SEARCH_FILE = 'search.index'
const MEBIBYTE = 2 ** 20
const KEPT_JOBS = 64 * MEBIBYTE
const KEPT_LISTS = 64 * MEBIBYTE
const KEPT_PREVIEWS = 64 * MEBIBYTE
const KEPT_PAGES = 64 * MEBIBYTE
const KEPT_DESCRIPTIONS = 16 * MEBIBYTE
/** The tables that a list of jobs is made from. */
const SHOWN: ReadonlySet<TableName> = new Set(['jobs', 'categories', 'terms', 'plans'])

/** A job's description as HTML, which to render takes longer than all else about its page. */
export interface DescriptionHtml {
  readonly html: string
  /** In bytes. */
  readonly cost: number
}

/** A board that is open: its records, what is derived from them, and what its features need to work. */
export class Board {
  readonly links: Links
  readonly passwords = new Passwords()
  readonly credentials: Credentials
  readonly encoder = new LogoEncoder()
  readonly listing: JobIndex
  readonly search: SearchIndex
  readonly mail: Mailer
  readonly traffic: Traffic
  /** Rendered jobs as everybody sees them, by id. */
  readonly jobBodies = new ResponseCache<number, EncodedBody<Uint8Array>>(KEPT_JOBS)
  /** Rendered lists of them, by what was asked for. */
  readonly listBodies = new ResponseCache<string, RenderedList>(KEPT_LISTS)
  /** Images of jobs, by id. Their tags tell what they show. */
  readonly previews = new ResponseCache<number, EncodedBody>(KEPT_PREVIEWS)
  /** Jobs' descriptions as HTML, by id. */
  readonly descriptions = new ResponseCache<number, DescriptionHtml>(KEPT_DESCRIPTIONS)
  /** Pages and feeds for people, by path and query. */
  readonly pageBodies = new ResponseCache<string, EncodedBody>(KEPT_PAGES)

  private constructor(
    readonly config: Config,
    readonly store: Store,
    readonly logos: LogoFiles,
    readonly painter: CardRenderer,
    readonly clock: Clock,
    readonly log: Log,
    baseUrl: string,
  ) {
    this.links = new Links(baseUrl, `${config.name}\n${painter.edition}`)
    this.credentials = new Credentials(store, this.passwords, clock)
    this.listing = new JobIndex(store, clock, ended => this.search.markChanged(ended))
    this.search = new SearchIndex(
      new SearchSource(store, this.listing),
      (message, cause) => log.warn(message, { cause: String(cause) }),
      join(config.data, SEARCH_FILE),
    )
    this.traffic = new Traffic(store, clock, readingFor(config, baseUrl), error =>
      log.warn('the counts could not be stored, and are kept', { cause: String(error) }),
    )
    this.mail = this.openPostOffice()
    store.subscribe(changes => this.followAll(changes))
  }

  /**
   * Opens the data directory that the configuration names, and makes it if it is not there.
   * @param baseUrl what absolute URLs begin with, without a slash at its end
   * @throws StoreError
   */
  static async open(config: Config, clock: Clock, log: Log, baseUrl: string): Promise<Board> {
    const store = await Store.open(config.data)
    const logos = await LogoFiles.open(join(config.data, LOGO_FOLDER))
    const painter = await CardRenderer.open(join(config.data, 'fonts'), (message, details) =>
      log.warn(message, details),
    )
    const board = new Board(config, store, logos, painter, clock, log, baseUrl)
    await board.sweepLogos()
    return board
  }

  async close(): Promise<void> {
    await this.traffic.close()
    await this.mail.close()
    await this.search.close()
    this.painter.close()
    this.logos.close()
    await this.store.close()
    await this.log.flush()
  }

  /** A change is on disk by now: whatever happens here must not tell the one who made it that it was refused. */
  private followAll(changes: readonly Change[]) {
    try {
      this.follow(changes)
    } catch (error) {
      this.log.error('what is derived from the records fell behind; a restart mends it', {
        cause: String(error),
      })
    }
  }

  /** What is derived from records is brought up to date before the one who changed them hears of it. */
  private follow(changes: readonly Change[]) {
    const shown = changes.filter(({ table }) => SHOWN.has(table))
    if (shown.length > 0) this.listing.applyChanges(shown)
    for (const change of shown) {
      if (change.table === 'jobs') this.followJob(change)
      else if (change.before) this.followParent(change)
    }
    this.mail.applyChanges(changes)
  }

  private followJob({ id, before, after }: Change & { table: 'jobs' }) {
    this.jobBodies.drop(id)
    this.descriptions.drop(id)
    this.previews.drop(id)
    this.search.markChanged([id])
    if (!after) this.traffic.removeJob(id)
    if (before && before.logo !== '' && before.logo !== after?.logo) void this.dropLogo(before.logo)
  }

  /** What stays behind is swept at the next start. */
  private async dropLogo(name: string) {
    try {
      await this.logos.remove(name)
    } catch (error) {
      this.log.warn('a logo file that no job names could not be removed', { name, cause: String(error) })
    }
  }

  /** A job shows its category, term and plan as they are now. */
  private followParent({ table, id }: Change) {
    this.jobBodies.clear()
    if (table === 'categories') this.search.markChanged(this.store.read.jobs.idsWhere('categoryId', id))
    if (table === 'terms') this.search.markChanged(this.store.read.jobs.idsWhere('termId', id))
  }

  private openPostOffice(): Mailer {
    const { store, clock, log, links, listing } = this
    const { smtpUrl: url, mailFrom: from, name, digest, pages } = this.config
    const smtp = url === undefined || from === undefined ? undefined : { url, from, name }
    const options = { jobIndex: listing, smtp, boardName: name, digest, hasPages: pages === 'on' }
    return new Mailer({ store, clock, log, links, ...options })
  }

  /** Removes the files that a crash left without a record. */
  private async sweepLogos() {
    const removed = await this.logos.removeOrphans(() => this.store.read.jobs.all().map(job => job.logo))
    if (removed.length > 0) this.log.info('removed logo files that no job names', { files: removed.length })
  }
}

/** How visits to this board are read: who is believed about addresses, and which host is its own. */
function readingFor({ geoipDb, trustProxy }: Config, baseUrl: string): VisitReader {
  const countries = new Countries(geoipDb)
  const ownHost = sourceHostOf(baseUrl)
  return {
    isBot,
    isCrawler,
    country: hops => countries.nameOf(clientAddress(hops, trustProxy)),
    source: referrer => {
      const host = sourceHostOf(referrer)
      return host === ownHost ? '' : host
    },
  }
}
