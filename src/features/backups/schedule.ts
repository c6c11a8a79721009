import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { DAY, HOUR, MINUTE, parseTimestamp, timestamp } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { makeFolder } from '../../store/folder.ts'
import { removeStaleWorkFolders } from '../../store/workFolder.ts'
import { createBackup, DELETED_DATA_WARNING } from './actions.ts'

/** Files of other names in the folder are none of ours. */
const BACKUP_NAME = /^corkboard-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.tar$/

/** A backup a day, of which the newest are kept. One that was missed, or failed, is made up for. */
export class BackupSchedule {
  private readonly stopping = new AbortController()
  private running: Promise<void> = Promise.resolve()
  private timer: Timer | undefined

  /**
   * @param at in minutes after midnight, UTC
   * @param keep how many files stay
   */
  constructor(
    private readonly board: Board,
    private readonly folder: string,
    private readonly at: number,
    private readonly keep: number,
  ) {}

  /**
   * Makes the folder of the backups if it is not there.
   * @throws StoreError if it can't be made
   */
  makeFolder(): void {
    makeFolder(this.folder)
  }

  /** Begins, with a backup at once if there is none since the last time that one was due. */
  start(): void {
    this.run()
  }

  /** Makes a backup if one is due. */
  async runIfDue(): Promise<void> {
    const { clock, log } = this.board
    try {
      await removeStaleWorkFolders(this.folder)
      const newest = (await this.list()).at(-1)
      if (newest && newest.time >= this.lastDue(clock())) return
      const name = nameAt(clock())
      const taken = await createBackup(this.board, join(this.folder, name), this.stopping.signal)
      log.info('made a backup', { file: name, bytes: taken.size, logos: taken.logos })
      if (taken.hasDeletedData) log.warn(DELETED_DATA_WARNING)
      await this.prune()
    } catch (error) {
      if (!this.stopping.signal.aborted) log.error('no backup was made', { cause: String(error) })
    }
  }

  /** Gives up what is under way, and waits until it has. */
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
    // a clock that was put right, and a failure, are noticed within the hour
    const wait = Math.min(this.lastDue(now) + DAY - now, HOUR)
    this.timer = setTimeout(() => this.run(), wait)
  }

  /** The last time at which a backup was due. */
  private lastDue(now: number): number {
    const offset = this.at * MINUTE
    return Math.floor((now - offset) / DAY) * DAY + offset
  }

  /** Removes our oldest files. */
  private async prune(): Promise<void> {
    const surplus = (await this.list()).slice(0, -this.keep)
    for (const { name } of surplus) await fs.rm(join(this.folder, name), { force: true })
  }

  /** Our files, the oldest first. */
  private async list(): Promise<{ name: string; time: number }[]> {
    const files: { name: string; time: number }[] = []
    for (const name of await fs.readdir(this.folder)) {
      const time = timeOf(BACKUP_NAME.exec(name)?.[1])
      if (time !== undefined) files.push({ name, time })
    }
    return files.sort((a, b) => a.time - b.time)
  }
}

/** The board's schedule; undefined if it is to have none. */
export function createSchedule(board: Board): BackupSchedule | undefined {
  const { backupDir, backupAt, backupKeep } = board.config
  return backupDir === undefined ? undefined : new BackupSchedule(board, backupDir, backupAt, backupKeep)
}

const nameAt = (now: number) => `corkboard-${timestamp(now).slice(0, 19).replaceAll(':', '-')}Z.tar`

/** `2026-01-10T03-00-00Z`, which file names can hold, in milliseconds. */
function timeOf(text: string | undefined): number | undefined {
  const [day, time] = text?.split('T') ?? []
  return day === undefined || time === undefined
    ? undefined
    : parseTimestamp(`${day}T${time.replaceAll('-', ':')}`)
}
