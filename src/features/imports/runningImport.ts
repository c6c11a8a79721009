import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import { errorStack } from '../../base/error.ts'
import { Pace, SLICE } from '../../base/pace.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { StoreError } from '../../store/storeError.ts'
import { Importer, type ImportObserver } from './importer.ts'
import { ImportError } from './importError.ts'
import { type CreatedRecords, noRecords } from './recordWriter.ts'
import type { RefusedRow } from './refusedRow.ts'
import { rows, rowsWithErrors } from './rowCount.ts'
import { type ImportQuery, type ImportStatus, MAX_SHOWN } from './schema.ts'
import type { SourceFile } from './source.ts'

/** The most rows in one transaction. After its commit, the board updates what it derives from them. */
const BATCH_ROWS = 200

/** The input of an import. */
export interface ImportInput {
  readonly file: SourceFile
  /** The name of the file, if it was sent. */
  readonly filename: string | undefined
  readonly options: ImportQuery
}

/** An import into a board that serves requests meanwhile. It stores its rows in many transactions. */
export class RunningImport implements ImportObserver {
  readonly filename: string | undefined
  readonly options: ImportQuery
  readonly importer: Importer
  readonly startedAt: number
  endedAt: number | null = null
  status: ImportStatus = 'checking'
  /** In percent of the file. */
  progress = 0
  imported = 0
  created: CreatedRecords = noRecords()
  /** The first rows with errors. */
  readonly errors: RefusedRow[] = []
  message: string | null = null
  private readonly pace: Pace

  /** @param signal stops the import */
  constructor(
    readonly id: number,
    private readonly board: Board,
    readonly input: ImportInput,
    private readonly signal: AbortSignal,
  ) {
    this.pace = new Pace(signal)
    const { file, filename, options } = input
    this.filename = filename
    this.options = options
    this.startedAt = floorToSecond(board.clock())
    const { plan: defaultPlan, with_accounts: withAccounts } = options
    const task = { files: [file], origin: undefined, defaultPlan, withAccounts, now: this.startedAt }
    this.importer = new Importer(board.store, board.images.logos, task, this)
  }

  /** The number of rows that can be imported, after a check of the file that was not cut short. */
  get importable(): number {
    const { options, status, importer } = this
    return options.dry_run && status === 'done' ? importer.rows - importer.skipped - importer.refused : 0
  }

  /** Imports the file as an administrator, whose account must not change meanwhile. */
  async run(caller: Caller): Promise<void> {
    try {
      await this.importAs(caller)
    } catch (error) {
      const stored =
        this.imported === 0 ? 'Nothing was imported.' : `Imported ${rows(this.imported)} before that.`
      this.end('failed', `${this.reasonOf(error)} ${stored}`)
    } finally {
      await this.importer.close()
      const { id, status, imported } = this
      this.board.log.info('import ended', { import: id, status, imported, refused: this.importer.refused })
    }
  }

  onRead(_activity: string, done: number, total: number): void {
    this.progress = Math.floor((100 * done) / total)
  }

  onRefused(row: RefusedRow): void {
    if (this.errors.length < MAX_SHOWN) this.errors.push(row)
  }

  /** Nothing is fetched from other hosts. */
  onSkippedLogo(): void {}

  pause(): Promise<void> {
    return this.pace.pause()
  }

  private async importAs(caller: Caller): Promise<void> {
    const { importer } = this
    const { dry_run: isDryRun, keep_going: keepsGoing } = this.options
    await importer.check(keepsGoing, isDryRun)
    const { refused, skipped } = importer
    const total = importer.rows - skipped
    if (isDryRun) return this.end('done', `${total - refused} of ${rows(total)} can be imported.`)
    if (refused > 0 && (!keepsGoing || refused === total))
      return this.end('failed', `Nothing was imported: ${rowsWithErrors(refused, total)}.`)
    this.status = 'storing'
    const { store } = this.board
    await importer.storeAll(
      (change, size) => writeAs(store, caller, change, size),
      (count, ms) => count >= BATCH_ROWS || ms > SLICE,
      ({ imported, created }) => Object.assign(this, { imported, created }),
    )
    this.end('done', this.summary(total))
  }

  private summary(total: number): string {
    const { imported, created, importer } = this
    const sentences = [
      imported === total ? `Imported ${rows(total)}.` : `Imported ${imported} of ${rows(total)}.`,
    ]
    if (importer.skipped > 0)
      sentences.push(`Skipped ${importer.skipped} accounts and subscribers: with_accounts imports them.`)
    if (created.administrators.length > 0)
      sentences.push(`New administrators: ${created.administrators.join(', ')}.`)
    if (created.administrators.length + created.users.length > 0)
      sentences.push('New accounts have no password: their owners can reset it.')
    return sentences.join(' ')
  }

  private end(status: ImportStatus, message: string) {
    this.status = status
    this.message = message
    this.progress = 100
    this.endedAt = floorToSecond(this.board.clock())
  }

  private reasonOf(error: unknown): string {
    if (this.signal.aborted) return 'The server was stopped.'
    if (error instanceof Problem && error.kind === 'full') return 'The disk is full.'
    if (error instanceof Problem && error.kind === 'unauthenticated') return 'Your account has changed.'
    if ([Problem, ImportError, StoreError].some(type => error instanceof type))
      return (error as Error).message
    this.board.log.error('an import failed', { cause: errorStack(error) })
    return 'Something went wrong on our side.'
  }
}
