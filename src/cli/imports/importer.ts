import { hashPassword } from '../../accounts/passwords.ts'
import type { FieldErrors } from '../../base/problem.ts'
import type { LogoFiles } from '../../images/logoFiles.ts'
import type { Store } from '../../store/store.ts'
import type { Fields } from '../../validation/validation.ts'
import { CommandError } from '../command.ts'
import { readerOf } from './format.ts'
import { RowLogos } from './logos.ts'
import { type ParsedJob, parseJob } from './parsedJob.ts'
import type { Progress } from './progress.ts'
import { isAccountOrSubscriber, type ParsedRecord, parseRecord } from './records.ts'
import { type CreatedRecords, RecordWriter } from './recordWriter.ts'
import type { ImportRow } from './rows.ts'
import type { ImportSource } from './source.ts'

/** The input of an import. */
interface ImportTask extends ImportSource {
  /** The plan of rows without a plan. */
  readonly defaultPlan: string
  /** Whether accounts and subscribers are imported. Otherwise they are skipped. */
  readonly withAccounts: boolean
  /** The time of the import, in milliseconds since 1970, whole seconds. */
  readonly now: number
}

export interface ImportResult {
  readonly imported: number
  /** The number of rows with errors. */
  readonly refused: number
  /** The number of accounts and subscribers that were skipped. */
  readonly skipped: number
  readonly created: CreatedRecords
  /** The number of rows whose logo is on a different host. */
  readonly foreignLogos: number
}

/** The store grows by more than the size of the text: records fill whole pages, and have index entries. */
const STORED_BYTES_PER_BYTE = 3

/** Imports files of any size in two passes: the first checks every row, the second stores the rows. */
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
      progress.print(`${place}: the logo was skipped: ${why}\n`),
    )
  }

  /**
   * Imports all rows, or none if any has errors; with `keepGoing`, those without errors. Closes the files.
   * @throws CommandError, Problem
   */
  async run(keepGoing: boolean): Promise<ImportResult> {
    try {
      for (const { row, number } of this.numberedRows('Checking')) await this.check(row, number, keepGoing)
      if (this.refused.size > 0 && !keepGoing)
        throw new CommandError(
          `Nothing was imported: ${this.refused.size} of ${this.rows} rows have errors. Correct them, or add --keep-going to import the others.`,
        )
      return await this.storeAll()
    } catch (error) {
      await this.logos.removeAll()
      throw error
    } finally {
      for (const file of this.task.files) file.close()
    }
  }

  private async check({ place, content }: ImportRow, number: number, keepGoing: boolean): Promise<void> {
    this.rows = number
    if (this.isSkipped(content)) this.skipped++
    else if (typeof content === 'string') this.refuse(number, `${place}: ${content}`)
    else {
      const parsed = this.parse(content)
      const { validation } = parsed
      this.hasUsers ||= 'kind' in parsed && parsed.kind === 'user'
      const logo = this.logos.has(content) ? await this.logos.read(place, content, validation) : undefined
      if (validation.hasErrors)
        this.refuse(number, `${place}${titleOf(content)}: ${sentence(validation.errors)}`)
      else if (logo) await this.logos.store(number, logo)
    }
    if (this.refused.size > 0 && !keepGoing) this.logos.stopStoring()
  }

  private isSkipped(content: ImportRow['content']): boolean {
    return typeof content !== 'string' && !this.task.withAccounts && isAccountOrSubscriber(content)
  }

  private refuse(number: number, why: string) {
    this.refused.add(number)
    this.progress.print(`${why}\n`)
  }

  private parse(row: Fields): ParsedJob | ParsedRecord {
    const { defaultPlan, now } = this.task
    const fields = this.task.origin === undefined ? row : withoutOwner(row)
    return parseRecord(fields) ?? parseJob(fields, this.store.read, defaultPlan, now)
  }

  private async storeAll(): Promise<ImportResult> {
    const size = this.task.files.reduce((sum, file) => sum + file.size, 0)
    // All accounts get the hash of one random password that nobody knows.
    const passwordHash = this.hasUsers ? await hashPassword(crypto.randomUUID()) : ''
    return await this.store.write(tables => {
      const { refused, skipped, logos } = this
      const writer = new RecordWriter(tables, passwordHash)
      for (const { row, number } of this.numberedRows('Storing'))
        if (typeof row.content !== 'string' && !refused.has(number) && !this.isSkipped(row.content))
          this.add(writer, this.parse(row.content), logos.nameOf(number))
      const { created, rowCount: imported } = writer
      return { imported, refused: refused.size, skipped, created, foreignLogos: logos.foreignCount }
    }, size * STORED_BYTES_PER_BYTE)
  }

  private add(writer: RecordWriter, parsed: ParsedJob | ParsedRecord, logo: string) {
    if ('kind' in parsed) writer.addRecord(parsed, this.task.now)
    else writer.addJob(parsed, this.task.now, logo)
  }

  /** Reads the rows of all files, which are numbered from 1. */
  private *numberedRows(activity: string): Generator<{ row: ImportRow; number: number }> {
    const { files } = this.task
    const size = files.reduce((sum, file) => sum + file.size, 0)
    let done = 0
    let number = 0
    const onRead = (bytes: number) => this.progress.update(activity, (done += bytes), size)
    for (const [at, file] of files.entries())
      for (const { place, content } of readerOf(file)(reportSizes(file.chunks(), onRead))) {
        number++
        const fullPlace = files.length === 1 ? place : `Page ${at + 1}, ${place.toLowerCase()}`
        yield { row: { place: fullPlace, content }, number }
      }
  }
}

function* reportSizes(chunks: Iterable<Uint8Array>, onRead: (bytes: number) => void) {
  for (const chunk of chunks) {
    onRead(chunk.length)
    yield chunk
  }
}

/** Removes the owner: another service can't decide who owns a job here. */
function withoutOwner(row: Fields): Fields {
  const values = new Map(row.values)
  values.delete('user')
  return { ...row, values }
}

const sentence = (errors: FieldErrors) =>
  `${Object.entries(errors)
    .map(([field, [error]]) => `${field} ${error}`)
    .join('; ')}.`

const MAX_TITLE_LENGTH = 80

/** Returns the quoted title, which helps to find the row, without characters that would move a terminal's cursor. */
function titleOf({ values }: Fields): string {
  const title = values.get('title')
  if (typeof title !== 'string' || title.trim() === '') return ''
  const plain = title.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return ` "${plain.length > MAX_TITLE_LENGTH ? `${plain.slice(0, MAX_TITLE_LENGTH)}…` : plain}"`
}
