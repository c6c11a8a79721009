import { DAY, floorToSecond, HOUR, MINUTE } from '../../base/clock.ts'
import { errorMessage } from '../../base/error.ts'
import type { Board } from '../../board.ts'
import { type BackupResult, DELETED_DATA_WARNING, recordTime } from './actions.ts'
import { reportFailure } from './failure.ts'
import { type BackupFolder, backupFolderOf } from './folder.ts'
import { RemoteBackups } from './remote.ts'
import { createAndUpload } from './upload.ts'

/** Where backups are kept: in a folder, in a bucket, or in both. */
interface Places {
  readonly folder?: BackupFolder | undefined
  readonly remote?: RemoteBackups | undefined
}

/** Creates a backup every day and keeps the newest ones. Catches up on a backup that was missed or failed. */
export class BackupSchedule {
  private readonly stopping = new AbortController()
  private running: Promise<void> = Promise.resolve()
  private timer: Timer | undefined

  /** @param at in minutes after midnight, UTC */
  constructor(
    private readonly board: Board,
    private readonly places: Places,
    private readonly at: number,
  ) {}

  /** Creates the folder of the backups. @throws StoreError if that fails */
  makeFolder(): void {
    this.places.folder?.make()
  }

  /** Starts the schedule, with a backup at once if one is due. */
  start(): void {
    this.run()
  }

  /** Creates and uploads a backup if one is due. If one of both fails, the other is done all the same. */
  async runIfDue(): Promise<void> {
    const { folder, remote } = this.places
    const problems = [
      folder && (await this.problemOf(() => this.createIfDue(folder))),
      remote && (await this.problemOf(() => this.uploadIfDue(remote))),
    ].filter(problem => problem !== undefined)
    if (this.stopping.signal.aborted) return
    if (problems.length === 0) this.board.backups.problem = undefined
    else await reportFailure(this.board, [...new Set(problems)].join(' '))
  }

  /** Stops a running backup, and waits for its end. */
  async close(): Promise<void> {
    this.stopping.abort()
    clearTimeout(this.timer)
    await this.running
  }

  private async createIfDue(folder: BackupFolder): Promise<void> {
    if ((await folder.list()).some(({ time }) => this.isCurrent(time))) return
    this.logCreated(await folder.create(this.board, this.stopping.signal))
  }

  /** Uploads the backup in the folder, or one that is made only for this. */
  private async uploadIfDue(remote: RemoteBackups): Promise<void> {
    const { store, log, clock } = this.board
    const uploaded = (await remote.list()).findLast(({ time }) => this.isCurrent(time))
    // An upload that was not recorded may be incomplete, because nobody has read it back.
    if (uploaded && this.isCurrent(store.timeOf('upload'))) return
    if (uploaded)
      log.warn('uploading again: the backup of today is incomplete, or that of another board', {
        file: uploaded.name,
      })
    const { folder } = this.places
    // If the folder can't be read, creating the backup in it has failed, and was reported.
    const files = (await folder?.list().catch(() => [])) ?? []
    const local = files.findLast(({ time }) => this.isCurrent(time))
    if (folder && local) {
      const url = await remote.upload(folder.pathOf(local.name), local.name, this.stopping.signal)
      await recordTime(store, 'upload', floorToSecond(clock()))
      log.info('backup uploaded', { url })
    } else {
      const backup = await createAndUpload(this.board, remote, this.stopping.signal)
      this.logCreated({ ...backup, name: backup.url })
    }
    const removed = await remote.prune(clock())
    if (removed > 0) log.info('removed old uploaded backups', { files: removed })
  }

  private logCreated({ name, size, logos, hasDeletedData }: BackupResult & { readonly name: string }) {
    const { log } = this.board
    log.info('backup created', { file: name, bytes: size, logos })
    if (hasDeletedData) log.warn(DELETED_DATA_WARNING)
  }

  /** Runs a task and returns why it failed; undefined if it didn't. */
  private async problemOf(task: () => Promise<void>): Promise<string | undefined> {
    try {
      this.stopping.signal.throwIfAborted()
      await task()
      return undefined
    } catch (error) {
      return errorMessage(error)
    }
  }

  /**
   * Returns whether something happened since the last time a backup was due, and before the next: a time further ahead
   * is from when the clock was wrong.
   */
  private isCurrent(time: number | undefined): boolean {
    const now = this.board.clock()
    return time !== undefined && time >= lastDueAt(now, this.at) && time < nextDue(now, this.at)
  }

  private run() {
    this.running = this.runAndReschedule()
  }

  private async runAndReschedule(): Promise<void> {
    await this.runIfDue()
    if (this.stopping.signal.aborted) return
    const now = this.board.clock()
    // The next check is in an hour at most, to retry a failed backup and to notice a changed clock.
    const wait = Math.min(nextDue(now, this.at) - now, HOUR)
    this.timer = setTimeout(() => this.run(), wait)
  }
}

/** Returns the last time a backup was due. @param at in minutes after midnight, UTC */
function lastDueAt(now: number, at: number): number {
  const offset = at * MINUTE
  return Math.floor((now - offset) / DAY) * DAY + offset
}

/** Returns the next time a backup is due. */
export const nextDue = (now: number, at: number) => lastDueAt(now, at) + DAY

/** Creates the schedule of a board; undefined if none is configured. */
export function createSchedule(board: Board): BackupSchedule | undefined {
  const { config } = board
  const folder = backupFolderOf(config)
  const remote = config.backupS3 && new RemoteBackups(config.backupS3, config)
  return folder || remote ? new BackupSchedule(board, { folder, remote }, config.backupAt) : undefined
}
