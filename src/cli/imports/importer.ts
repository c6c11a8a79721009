import { hashPassword } from '../../accounts/passwords.ts'
import type { FieldErrors } from '../../base/problem.ts'
import type { LogoFiles } from '../../images/logoFiles.ts'
import type { Store } from '../../store/store.ts'
import type { Fields } from '../../validation/validation.ts'
import { CommandError } from '../command.ts'
import { readerOf } from './format.ts'
import { RowLogos } from './logos.ts'
import type { Progress } from './progress.ts'
import { type DraftedRecord, draftRecord, isPerson } from './records.ts'
import { type CreatedRecords, type DraftedRow, draftRow, RecordWriter } from './recordWriter.ts'
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
  readonly leftOut: number
  readonly made: CreatedRecords
  /** How many rows have a logo that is not with the service they came from. */
  readonly logosElsewhere: number
}

/** The store takes more room than the text: records fill whole pages, and are referred to. */
const ROOM_FOR_A_BYTE = 3

/** Reads everything twice, so that it need not be held in memory: once to check it, then to store it. */
export class Importer {
  private rows = 0
  private leftOut = 0
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
      progress.say(`${place}: the logo is left behind: ${why}\n`),
    )
  }

  /**
   * Imports all rows, or none if any is refused; with `keepGoing` those that are not refused. Closes the files.
   * @throws Failure, Problem
   */
  async run(keepGoing: boolean): Promise<ImportResult> {
    try {
      for (const { row, number } of this.numbered('Checking')) await this.check(row, number, keepGoing)
      if (this.refused.size > 0 && !keepGoing)
        throw new CommandError(
          `Nothing was imported: ${this.refused.size} of ${this.rows} rows are refused. Mend them, or take the others with --keep-going.`,
        )
      return await this.takeIn()
    } catch (error) {
      await this.logos.discard()
      throw error
    } finally {
      for (const file of this.task.files) file.close()
    }
  }

  private async check({ place, said }: Row, number: number, keepGoing: boolean): Promise<void> {
    this.rows = number
    if (this.isLeftOut(said)) this.leftOut++
    else if (typeof said === 'string') this.refuse(number, `${place}: ${said}`)
    else {
      const drafted = this.draft(said)
      const { draft: validation } = drafted
      this.hasUsers ||= 'kind' in drafted && drafted.kind === 'user'
      const logo = this.logos.has(said) ? await this.logos.read(place, said, validation) : undefined
      if (validation.hasErrors)
        this.refuse(number, `${place}${titleOf(said)}: ${sentence(validation.errors)}`)
      else if (logo) await this.logos.keep(number, logo)
    }
    if (this.refused.size > 0 && !keepGoing) this.logos.giveUp()
  }

  private isLeftOut(said: Row['said']): boolean {
    return typeof said !== 'string' && !this.task.withAccounts && isPerson(said)
  }

  private refuse(number: number, why: string) {
    this.refused.add(number)
    this.progress.say(`${why}\n`)
  }

  private draft(said: Fields): DraftedRow | DraftedRecord {
    const { defaultPlan, now } = this.task
    const fields = this.task.origin === undefined ? said : withoutOwner(said)
    return draftRecord(fields) ?? draftRow(fields, this.store.read, defaultPlan, now)
  }

  private async takeIn(): Promise<ImportResult> {
    const size = this.task.files.reduce((sum, file) => sum + file.size, 0)
    // one for all: it is the hash of a password that nobody knows
    const passwordHash = this.hasUsers ? await hashPassword(crypto.randomUUID()) : ''
    return await this.store.write(tables => {
      const { refused, leftOut, logos } = this
      const intake = new RecordWriter(tables, passwordHash)
      for (const { row, number } of this.numbered('Storing'))
        if (typeof row.said !== 'string' && !refused.has(number) && !this.isLeftOut(row.said))
          this.add(intake, this.draft(row.said), logos.nameOf(number))
      const { made, rows: imported } = intake
      return { imported, refused: refused.size, leftOut, made, logosElsewhere: logos.elsewhere }
    }, size * ROOM_FOR_A_BYTE)
  }

  private add(intake: RecordWriter, drafted: DraftedRow | DraftedRecord, logo: string) {
    if ('kind' in drafted) intake.addRecord(drafted, this.task.now)
    else intake.add(drafted, this.task.now, logo)
  }

  /** The rows of all files, numbered through from 1. */
  private *numbered(doing: string): Generator<{ row: Row; number: number }> {
    const { files } = this.task
    const size = files.reduce((sum, file) => sum + file.size, 0)
    let read = 0
    let number = 0
    const watch = (bytes: number) => this.progress.show(doing, (read += bytes), size)
    for (const [at, file] of files.entries())
      for (const { place, said } of readerOf(file)(watched(file.chunks(), watch))) {
        number++
        const where = files.length === 1 ? place : `Page ${at + 1}, ${place.toLowerCase()}`
        yield { row: { place: where, said }, number }
      }
  }
}

function* watched(chunks: Iterable<Uint8Array>, watch: (bytes: number) => void) {
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

const sentence = (faults: FieldErrors) =>
  `${Object.entries(faults)
    .map(([field, [fault]]) => `${field} ${fault}`)
    .join('; ')}.`

const TITLE_SHOWN = 80

/** Helps to find the row. It may hold what would move a terminal's cursor, which is left out. */
function titleOf({ values }: Fields): string {
  const title = values.get('title')
  if (typeof title !== 'string' || title.trim() === '') return ''
  const plain = title.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return ` "${plain.length > TITLE_SHOWN ? `${plain.slice(0, TITLE_SHOWN)}…` : plain}"`
}
