import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { DAY, HOUR, MINUTE, parseTimestamp, timestamp } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { makeFolder } from '../../store/folder.ts'
import { removeStaleWorkFolders } from '../../store/workFolder.ts'
import { createBackup, DELETED_DATA_WARNING } from './actions.ts'

/** The names of our backups. Other files in the folder are not touched. */
const BACKUP_NAME = /^corkboard-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.tar$/

/** Creates a backup every day and keeps the newest ones. Catches up on a backup that was missed or failed. */
export class BackupSchedule {
  private readonly stopping = new AbortController()
  private running: Promise<void> = Promise.resolve()
  private timer: Timer | undefined

  /**
   * @param at in minutes after midnight, UTC
   * @param keep the number of files to keep
   */
  constructor(
    private readonly board: Board,
    private readonly folder: string,
    private readonly at: number,
    private readonly keep: number,
  ) {}

  /**
   * Creates the folder of the backups if necessary.
   * @throws StoreError if it can't be created
   */
  makeFolder(): void {
    makeFolder(this.folder)
  }

  /** Starts the schedule, with a backup at once if one is due. */
  start(): void {
    this.run()
  }

  /** Creates a backup if one is due. */
  async runIfDue(): Promise<void> {
    const { clock, log } = this.board
    try {
      await removeStaleWorkFolders(this.folder)
      const newest = (await this.list()).at(-1)
      if (newest && newest.time >= this.lastDue(clock())) return
      const name = nameAt(clock())
      const backup = await createBackup(this.board, join(this.folder, name), this.stopping.signal)
      log.info('backup created', { file: name, bytes: backup.size, logos: backup.logos })
      if (backup.hasDeletedData) log.warn(DELETED_DATA_WARNING)
      await this.prune()
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
    const wait = Math.min(this.lastDue(now) + DAY - now, HOUR)
    this.timer = setTimeout(() => this.run(), wait)
  }

  /** Returns the last time a backup was due. */
  private lastDue(now: number): number {
    const offset = this.at * MINUTE
    return Math.floor((now - offset) / DAY) * DAY + offset
  }

  /** Removes our oldest files. */
  private async prune(): Promise<void> {
    const surplus = (await this.list()).slice(0, -this.keep)
    for (const { name } of surplus) await fs.rm(join(this.folder, name), { force: true })
  }

  /** Lists our files, the oldest first. */
  private async list(): Promise<{ name: string; time: number }[]> {
    const files: { name: string; time: number }[] = []
    for (const name of await fs.readdir(this.folder)) {
      const time = timeOf(BACKUP_NAME.exec(name)?.[1])
      if (time !== undefined) files.push({ name, time })
    }
    return files.sort((a, b) => a.time - b.time)
  }
}

/** Creates the schedule of a board; undefined if none is configured. */
export function createSchedule(board: Board): BackupSchedule | undefined {
  const { backupDir, backupAt, backupKeep } = board.config
  return backupDir === undefined ? undefined : new BackupSchedule(board, backupDir, backupAt, backupKeep)
}

const nameAt = (now: number) => `corkboard-${timestamp(now).slice(0, 19).replaceAll(':', '-')}Z.tar`

/** Parses the time in a file name, such as `2026-01-10T03-00-00Z`, into milliseconds. */
function timeOf(text: string | undefined): number | undefined {
  const [day, time] = text?.split('T') ?? []
  return day === undefined || time === undefined
    ? undefined
    : parseTimestamp(`${day}T${time.replaceAll('-', ':')}`)
}
