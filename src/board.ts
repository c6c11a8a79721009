import { join } from 'node:path'
import { Accounts } from './accounts/accounts.ts'
import type { Clock } from './base/clock.ts'
import { LongTasks } from './base/longTasks.ts'
import type { Config } from './config/config.ts'
import type { BoardConfig } from './config/settings.ts'
import type { Log } from './http/log.ts'
import { clientAddress } from './http/request/clientAddress.ts'
import { Links } from './http/response/links.ts'
import { ResponseCache } from './http/response/responseCache.ts'
import { type Images, openImages } from './images/images.ts'
import { Mailer } from './mail/mailer.ts'
import { announceStopped } from './mail/outbox.ts'
import { type Indexes, openIndexes } from './search/indexes.ts'
import type { JobIndex } from './search/jobIndex.ts'
import type { SearchIndex } from './search/searchIndex.ts'
import { readSynonyms } from './search/synonymFile.ts'
import { BackupStatus } from './store/backupStatus.ts'
import type { Actor } from './store/journal/journalRow.ts'
import { JournalTimer } from './store/journal/journalTimer.ts'
import { LiveConfig } from './store/liveConfig.ts'
import { Store } from './store/store.ts'
import type { Change, TableName } from './store/tables.ts'
import { CertificateStatus } from './tls/certificateStatus.ts'
import { Traffic } from './traffic/traffic.ts'
import { visitReader } from './traffic/visitReader.ts'
import { Webhooks } from './webhooks/webhooks.ts'

const SYNONYM_FILE = 'synonyms.txt'
/** In bytes, the memory for cached replies and their parts. */
const CACHE_SIZE = 128 * 2 ** 20
/** The tables whose records are part of jobs. Of the settings, the preview images show some. */
const JOB_TABLES: ReadonlySet<TableName> = new Set(['jobs', 'categories', 'terms', 'plans', 'settings'])

/** An open board: its records, the data derived from them, and the services that features use. */
export class Board {
  readonly links: Links
  readonly accounts: Accounts
  readonly jobIndex: JobIndex
  readonly search: SearchIndex
  readonly mail: Mailer
  readonly traffic: Traffic
  readonly journalTimer: JournalTimer
  readonly webhooks: Webhooks
  readonly responses = new ResponseCache(CACHE_SIZE)
  readonly tasks = new LongTasks()
  readonly backups = new BackupStatus()
  readonly certificate = new CertificateStatus()
  /** Follows the settings. */
  readonly liveConfig: LiveConfig

  private constructor(
    private readonly options: Config,
    readonly store: Store,
    private readonly indexes: Indexes,
    readonly images: Images,
    readonly clock: Clock,
    readonly log: Log,
    baseUrl: string,
  ) {
    this.liveConfig = new LiveConfig(store, options)
    this.liveConfig.onChange(({ logo }) => {
      if (logo !== '' && logo !== this.config.logo) void this.removeLogo(logo)
    })
    this.links = new Links(
      baseUrl,
      () => `${this.config.name}\n${this.config.accent}\n${images.cardRenderer.version}`,
    )
    this.accounts = new Accounts(store, clock, baseUrl)
    this.jobIndex = indexes.jobs
    this.search = indexes.search
    this.traffic = new Traffic(
      store,
      clock,
      visitReader(options, baseUrl, hops => clientAddress(hops, options.trustProxy)),
      error =>
        log.warn('page views could not be stored yet, and are kept in memory', { cause: String(error) }),
    )
    this.journalTimer = new JournalTimer(store, clock, options.journalDays, warnTo(log))
    this.mail = this.openMailer()
    const allowsPrivate = options.webhookPrivate === 'on'
    const onStop = announceStopped(this.mail.outbox)
    this.webhooks = new Webhooks({ store, clock, log, allowsPrivate, onStop })
    store.subscribe((...commit) => this.applyChanges(...commit))
  }

  /**
   * Opens the configured data directory, and creates it if necessary.
   * @param baseUrl the beginning of absolute URLs, without a slash at the end
   * @param upgradeBackup whether records of an older version are backed up first
   * @throws StoreError
   */
  static async open(
    config: Config,
    clock: Clock,
    log: Log,
    baseUrl: string,
    upgradeBackup = true,
  ): Promise<Board> {
    const { store, indexes } = await openIndexes(config.data, clock, warnTo(log), () =>
      Store.open(config.data, { clock, upgradeBackup }),
    )
    const images = await openImages(config.data, (...line) => log.warn(...line))
    const board = new Board(config, store, indexes, images, clock, log, baseUrl)
    await board.loadSynonyms()
    await board.removeUnusedLogos()
    return board
  }

  /** The configuration as it is now: administrators can change a part of it. */
  get config(): BoardConfig {
    return this.liveConfig.current
  }

  /** Reads the owner's synonyms for searches, anew if they were read before. */
  async loadSynonyms(): Promise<void> {
    const synonyms = await readSynonyms(join(this.config.data, SYNONYM_FILE), message =>
      this.log.warn(message),
    )
    await this.search.setSynonyms(synonyms)
    this.jobIndex.raiseVersion()
  }

  async close(): Promise<void> {
    await this.tasks.close()
    await this.journalTimer.close()
    await this.traffic.close()
    await Promise.all([this.mail.close(), this.webhooks.close()])
    await this.indexes.close()
    this.images.cardRenderer.close()
    this.images.logos.close()
    await this.store.close()
    await this.log.flush()
  }

  /** Updates the derived data before the response to the request that changed the records. */
  private applyChanges(changes: readonly Change[], actor: Actor) {
    try {
      const jobChanges = changes.filter(({ table }) => JOB_TABLES.has(table))
      if (jobChanges.length > 0) this.indexes.applyChanges(jobChanges, actor.kind === 'source')
      for (const change of jobChanges) if (change.table === 'jobs') this.applyJobChange(change)
      this.mail.applyChanges(changes)
      this.liveConfig.applyChanges(changes)
      this.journalTimer.watch.applyChanges(changes)
      this.webhooks.applyChanges(changes)
    } catch (error) {
      // The change is on disk, so the request has succeeded.
      this.log.error('search, lists or mail missed a change; restart the board', { cause: String(error) })
    }
  }

  private applyJobChange({ id, before, after }: Change & { table: 'jobs' }) {
    if (!after) this.traffic.removeJob(id)
    if (before && before.logo !== '' && before.logo !== after?.logo) void this.removeLogo(before.logo)
  }

  /** Removes a logo. If that fails, it is removed at the next start. */
  private async removeLogo(name: string) {
    try {
      await this.images.logos.remove(name)
    } catch (error) {
      this.log.warn('an unused logo file could not be removed', { name, cause: String(error) })
    }
  }

  private openMailer(): Mailer {
    const { store, clock, log, links, jobIndex, traffic, options } = this
    const { smtpUrl: url, mailFrom: from, pages, mailOwners } = options
    const smtp =
      url === undefined || from === undefined ? undefined : { url, from, name: () => this.config.name }
    return new Mailer({
      store,
      clock,
      log,
      links,
      jobIndex,
      smtp,
      settings: () => this.config,
      remindsOwners: mailOwners === 'on',
      countsOf: id => traffic.countsOf(id),
      hasPages: pages === 'on',
    })
  }

  /** Removes logo files without a record, which a crash can leave behind. */
  private async removeUnusedLogos() {
    const removed = await this.images.logos.removeOrphans(() => [
      this.config.logo,
      ...this.jobIndex.all.map(({ logo }) => logo),
    ])
    if (removed.length > 0) this.log.info('removed unused logo files', { files: removed.length })
  }
}

const warnTo = (log: Log) => (message: string, cause: unknown) => log.warn(message, { cause: String(cause) })
