import { hashPassword } from '../../accounts/passwords.ts'
import type { LogoFiles } from '../../images/logoFiles.ts'
import { STORED_BYTES_PER_BYTE } from '../../store/diskSpace.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import type { Fields } from '../../validation/validation.ts'
import { RowLogos } from './logos.ts'
import { type NumberedRow, numberedRows } from './numberedRows.ts'
import { type ParsedJob, parseJob } from './parsedJob.ts'
import { isAccountOrSubscriber, type ParsedRecord, parseRecord, withoutOwner } from './records.ts'
import { addRecords, type CreatedRecords, noRecords, RecordWriter } from './recordWriter.ts'
import { type RefusedRow, refusedRow, unreadableRow } from './refusedRow.ts'
import type { ImportRow } from './rows.ts'
import type { ImportSource } from './source.ts'
import { SourcedRows } from './sourcedRows.ts'

/** The input of an import. */
export interface ImportTask extends ImportSource {
  /** The plan of rows without a plan. */
  readonly defaultPlan: string
  /** Whether accounts and subscribers are imported. Otherwise they are skipped. */
  readonly withAccounts: boolean
  /** The time of the import, in milliseconds since 1970, whole seconds. */
  readonly now: number
}

/** Follows an import. */
export interface ImportObserver {
  /** Called for each piece of the files that is read. @param done in bytes, as `total` */
  onRead(activity: 'Checking' | 'Storing', done: number, total: number): void
  onRefused(row: RefusedRow): void
  /** Called when a logo can't be fetched, and its row is imported without it. */
  onSkippedLogo(place: string, why: string): void
  /** Awaited after each row, or each transaction. */
  pause(): Promise<void>
}

export interface ImportResult {
  readonly imported: number
  readonly created: CreatedRecords
}

/** Runs a change of the records as one transaction. @param size the number of bytes that it may store */
type Write = <T>(
  change: (tables: Tables) => T extends PromiseLike<unknown> ? never : T,
  size: number,
) => Promise<T>

/** Returns whether a transaction has enough rows. @param ms since its first row */
type IsFull = (rows: number, ms: number) => boolean

/** Imports files of any size in two passes: the first checks every row, the second stores the rows. */
export class Importer {
  /** The numbers of rows that were checked, of those with errors, and of accounts and subscribers that were skipped. */
  rows = 0
  refused = 0
  skipped = 0
  private hasUsers = false
  private readonly invalidLogos = new Set<number>()
  private readonly sourcedRows = new SourcedRows()
  private readonly logos: RowLogos

  constructor(
    private readonly store: Pick<Store, 'read'>,
    logos: LogoFiles,
    private readonly task: ImportTask,
    private readonly observer: ImportObserver,
  ) {
    this.logos = new RowLogos(logos, task.origin, (place, why) => observer.onSkippedLogo(place, why))
  }

  /** The number of rows whose logo is on a different host. */
  get foreignLogos(): number {
    return this.logos.foreignCount
  }

  /**
   * Checks every row, and stores their logos.
   * @param keepGoing whether the other rows will be stored if some have errors; otherwise none will be
   * @param isDryRun whether no row will be stored
   */
  async check(keepGoing: boolean, isDryRun = false): Promise<void> {
    if (isDryRun) this.logos.stopStoring()
    for (const row of this.numberedRows('Checking')) {
      if (row) await this.checkRow(row)
      if (this.refused > 0 && !keepGoing) this.logos.stopStoring()
      await this.observer.pause()
    }
  }

  /**
   * Stores the valid rows, after they were checked.
   * @param isFull decides when the next transaction begins; by default, one has all rows
   * @param onStored called after each transaction with the result so far
   */
  async storeAll(
    write: Write,
    isFull: IsFull = () => false,
    onStored: (result: ImportResult) => void = () => {},
  ): Promise<ImportResult> {
    // All accounts get the hash of one random password that nobody knows.
    const passwordHash = this.hasUsers ? await hashPassword(crypto.randomUUID()) : ''
    const rows = this.numberedRows('Storing')
    const created = noRecords()
    let imported = 0
    for (let size = this.size * STORED_BYTES_PER_BYTE, isDone = false; !isDone; size = 0) {
      const batch = await write(tables => {
        const writer = new RecordWriter(tables, passwordHash)
        return { writer, ...this.storeBatch(writer, rows, isFull) }
      }, size)
      isDone = batch.isDone
      this.logos.keepUntil(batch.last)
      addRecords(created, batch.writer.created)
      imported += batch.writer.rowCount
      onStored({ imported, created })
      await this.observer.pause()
    }
    // A row that was valid may have become invalid, for example because its category was deleted.
    this.refused = this.rows - this.skipped - imported
    return { imported, created }
  }

  /** Removes the logos of rows that were not stored, and closes the files. */
  async close(): Promise<void> {
    await this.logos.removeAll()
    for (const file of this.task.files) file.close()
  }

  private get size(): number {
    return this.task.files.reduce((sum, file) => sum + file.size, 0)
  }

  private async checkRow({ place, content, number }: NumberedRow): Promise<void> {
    this.rows = number
    if (this.isSkipped(content)) this.skipped++
    else if (typeof content === 'string') this.refuse(unreadableRow(place, content))
    else {
      const parsed = this.parse(content)
      const { validation } = parsed
      this.hasUsers ||= 'kind' in parsed && parsed.kind === 'user'
      if ('exported' in parsed) this.sourcedRows.check(parsed)
      const isValid = !validation.hasErrors
      const logo = this.logos.has(content) ? await this.logos.read(place, content, validation) : undefined
      if (validation.hasErrors) this.refuse(refusedRow(place, content, validation.errors))
      else if (logo) await this.logos.store(number, logo)
      if (validation.hasErrors && isValid) this.invalidLogos.add(number)
    }
  }

  private isSkipped(content: ImportRow['content']): boolean {
    return typeof content !== 'string' && !this.task.withAccounts && isAccountOrSubscriber(content)
  }

  private refuse(row: RefusedRow) {
    this.refused++
    this.observer.onRefused(row)
  }

  private parse(row: Fields): ParsedJob | ParsedRecord {
    const { defaultPlan, now } = this.task
    const fields = this.task.origin === undefined ? row : withoutOwner(row)
    return parseRecord(fields) ?? parseJob(fields, this.store.read, defaultPlan, now)
  }

  private storeBatch(writer: RecordWriter, rows: ReturnType<typeof numberedRows>, isFull: IsFull) {
    const start = performance.now()
    let last = 0
    while (!isFull(writer.rowCount, performance.now() - start)) {
      const next = rows.next()
      if (next.done === true) return { isDone: true, last }
      if (!next.value) continue
      last = next.value.number
      this.storeRow(writer, next.value)
    }
    return { isDone: false, last }
  }

  private storeRow(writer: RecordWriter, { content, number }: NumberedRow) {
    if (typeof content === 'string' || this.invalidLogos.has(number) || this.isSkipped(content)) return
    const parsed = this.parse(content)
    if (parsed.validation.hasErrors) return
    if ('kind' in parsed) writer.addRecord(parsed, this.task.now)
    else writer.addJob(parsed, this.task.now, this.logos.nameOf(number))
  }

  private numberedRows(activity: 'Checking' | 'Storing') {
    const { size } = this
    let done = 0
    return numberedRows(this.task, bytes => this.observer.onRead(activity, (done += bytes), size))
  }
}
