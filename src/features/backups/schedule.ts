import { DAY, HOUR, MINUTE } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { DELETED_DATA_WARNING } from './actions.ts'
import { type BackupFolder, backupFolderOf } from './folder.ts'

/** Creates a backup every day and keeps the newest ones. Catches up on a backup that was missed or failed. */
export class BackupSchedule {
  private readonly stopping = new AbortController()
  private running: Promise<void> = Promise.resolve()
  private timer: Timer | undefined

  /** @param at in minutes after midnight, UTC */
  constructor(
    private readonly board: Board,
    readonly folder: BackupFolder,
    private readonly at: number,
  ) {}

  /** Starts the schedule, with a backup at once if one is due. */
  start(): void {
    this.run()
  }

  /** Creates a backup if one is due. */
  async runIfDue(): Promise<void> {
    const { clock, log } = this.board
    try {
      const newest = (await this.folder.list()).at(-1)
      if (newest && newest.time >= lastDue(clock(), this.at)) return
      const backup = await this.folder.create(this.board, this.stopping.signal)
      log.info('backup created', { file: backup.name, bytes: backup.size, logos: backup.logos })
      if (backup.hasDeletedData) log.warn(DELETED_DATA_WARNING)
    } catch (error) {
      if (!this.stopping.signal.aborted) log.error('backup failed', { cause: String(error) })
    }
  }

  /** Stops a running backup, and waits for its end. */
  async close(): Promise<void> {
    this.stopping.abort()
    clearTimeout(this.timer)
    await this.running
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
function lastDue(now: number, at: number): number {
  const offset = at * MINUTE
  return Math.floor((now - offset) / DAY) * DAY + offset
}

/** Returns the next time a backup is due. */
export const nextDue = (now: number, at: number) => lastDue(now, at) + DAY

/** Creates the schedule of a board; undefined if none is configured. */
export function createSchedule(board: Board): BackupSchedule | undefined {
  const folder = backupFolderOf(board.config)
  return folder && new BackupSchedule(board, folder, board.config.backupAt)
}
