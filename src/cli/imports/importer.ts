import { hashPassword } from '../../accounts/passwords.ts'
import type { FieldErrors } from '../../base/problem.ts'
import type { LogoFiles } from '../../images/logoFiles.ts'
import type { Store } from '../../store/store.ts'
import type { Fields } from '../../validation/validation.ts'
import { CommandError } from '../command.ts'
import { readerOf } from './format.ts'
import { RowLogos } from './logos.ts'
import type { Progress } from './progress.ts'
import { isAccountOrSubscriber, type ParsedRecord, parseRecord } from './records.ts'
import { type CreatedRecords, type ParsedJob, parseJob, RecordWriter } from './recordWriter.ts'
import type { Row } from './row.ts'
import type { Source } from './source.ts'

/** What is imported, and how. */
export interface ImportTask extends Source {
  /** The name of the plan of rows that name none. */
  readonly defaultPlan: string
  /** Whether accounts and subscribers are imported; otherwise they are left out. */
  readonly withAccounts: boolean
  /** In milliseconds since 1970, whole seconds. */
  readonly now: number
}

/** What came of it. */
export interface ImportResult {
  readonly imported: number
  readonly refused: number
  /** How many accounts and subscribers were left out. */
  readonly skipped: number
  readonly created: CreatedRecords
  /** How many rows have a logo that is not with the service they came from. */
  readonly foreignLogos: number
}

/** The store takes more room than the text: records fill whole pages, and are referred to. */
const STORED_BYTES_PER_BYTE = 3

/** Reads everything twice, so that it need not be held in memory: once to check it, then to store it. */
export class Importer {
  private rows = 0
  private skipped = 0
  private readonly refused = new Set<number>()
  private hasUsers = false
  private readonly logos: RowLogos

  constructor(
    private readonly store: Store,
    logos: LogoFiles,
    private readonly task: ImportTask,
    private readonly progress: Progress,
  ) {
    this.logos = new RowLogos(logos, task.origin, (place, why) =>
      progress.print(`${place}: the logo is left behind: ${why}\n`),
    )
  }

  /**
   * Imports all rows, or none if any is refused; with `keepGoing` those that are not refused. Closes the files.
   * @throws Failure, Problem
   */
  async run(keepGoing: boolean): Promise<ImportResult> {
    try {
      for (const { row, number } of this.numberedRows('Checking')) await this.check(row, number, keepGoing)
      if (this.refused.size > 0 && !keepGoing)
        throw new CommandError(
          `Nothing was imported: ${this.refused.size} of ${this.rows} rows are refused. Mend them, or take the others with --keep-going.`,
        )
      return await this.storeAll()
    } catch (error) {
      await this.logos.removeAll()
      throw error
    } finally {
      for (const file of this.task.files) file.close()
    }
  }

  private async check({ place, said }: Row, number: number, keepGoing: boolean): Promise<void> {
    this.rows = number
    if (this.isSkipped(said)) this.skipped++
    else if (typeof said === 'string') this.refuse(number, `${place}: ${said}`)
    else {
      const drafted = this.parse(said)
      const { validation } = drafted
      this.hasUsers ||= 'kind' in drafted && drafted.kind === 'user'
      const logo = this.logos.has(said) ? await this.logos.read(place, said, validation) : undefined
      if (validation.hasErrors)
        this.refuse(number, `${place}${titleOf(said)}: ${sentence(validation.errors)}`)
      else if (logo) await this.logos.store(number, logo)
    }
    if (this.refused.size > 0 && !keepGoing) this.logos.stopStoring()
  }

  private isSkipped(said: Row['said']): boolean {
    return typeof said !== 'string' && !this.task.withAccounts && isAccountOrSubscriber(said)
  }

  private refuse(number: number, why: string) {
    this.refused.add(number)
    this.progress.print(`${why}\n`)
  }

  private parse(said: Fields): ParsedJob | ParsedRecord {
    const { defaultPlan, now } = this.task
    const fields = this.task.origin === undefined ? said : withoutOwner(said)
    return parseRecord(fields) ?? parseJob(fields, this.store.read, defaultPlan, now)
  }

  private async storeAll(): Promise<ImportResult> {
    const size = this.task.files.reduce((sum, file) => sum + file.size, 0)
    // one for all: it is the hash of a password that nobody knows
    const passwordHash = this.hasUsers ? await hashPassword(crypto.randomUUID()) : ''
    return await this.store.write(tables => {
      const { refused, skipped, logos } = this
      const writer = new RecordWriter(tables, passwordHash)
      for (const { row, number } of this.numberedRows('Storing'))
        if (typeof row.said !== 'string' && !refused.has(number) && !this.isSkipped(row.said))
          this.add(writer, this.parse(row.said), logos.nameOf(number))
      const { created, rowCount: imported } = writer
      return { imported, refused: refused.size, skipped, created, foreignLogos: logos.foreignCount }
    }, size * STORED_BYTES_PER_BYTE)
  }

  private add(writer: RecordWriter, drafted: ParsedJob | ParsedRecord, logo: string) {
    if ('kind' in drafted) writer.addRecord(drafted, this.task.now)
    else writer.addJob(drafted, this.task.now, logo)
  }

  /** The rows of all files, numbered through from 1. */
  private *numberedRows(doing: string): Generator<{ row: Row; number: number }> {
    const { files } = this.task
    const size = files.reduce((sum, file) => sum + file.size, 0)
    let read = 0
    let number = 0
    const watch = (bytes: number) => this.progress.update(doing, (read += bytes), size)
    for (const [at, file] of files.entries())
      for (const { place, said } of readerOf(file)(reportSizes(file.chunks(), watch))) {
        number++
        const where = files.length === 1 ? place : `Page ${at + 1}, ${place.toLowerCase()}`
        yield { row: { place: where, said }, number }
      }
  }
}

function* reportSizes(chunks: Iterable<Uint8Array>, watch: (bytes: number) => void) {
  for (const chunk of chunks) {
    watch(chunk.length)
    yield chunk
  }
}

/** Another service must not decide whose jobs they are here. */
function withoutOwner(said: Fields): Fields {
  const values = new Map(said.values)
  values.delete('user')
  return { ...said, values }
}

const sentence = (errors: FieldErrors) =>
  `${Object.entries(errors)
    .map(([field, [error]]) => `${field} ${error}`)
    .join('; ')}.`

const MAX_TITLE_LENGTH = 80

/** Helps to find the row. It may hold what would move a terminal's cursor, which is left out. */
function titleOf({ values }: Fields): string {
  const title = values.get('title')
  if (typeof title !== 'string' || title.trim() === '') return ''
  const plain = title.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return ` "${plain.length > MAX_TITLE_LENGTH ? `${plain.slice(0, MAX_TITLE_LENGTH)}…` : plain}"`
}
