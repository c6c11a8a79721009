import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { parseTimestamp, timestamp } from '../../base/clock.ts'
import { unlessMissing } from '../../base/error.ts'
import type { Config } from '../../config/config.ts'
import { makeFolder } from '../../store/folder.ts'
import { removeStaleWorkFolders } from '../../store/workFolder.ts'
import { type BackupResult, type BackupSource, createBackup } from './actions.ts'

/** The names of our backups. Other files in the folder are not touched. */
const BACKUP_NAME = /^corkboard-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.tar$/

/** A backup in the folder. */
export interface BackupFile {
  readonly name: string
  /** When it was made, in milliseconds since 1970. */
  readonly time: number
  /** In bytes. */
  readonly size: number
}

/** The folder of a board's backups. */
export class BackupFolder {
  /** @param keep the number of backups to keep */
  constructor(
    private readonly path: string,
    private readonly keep: number,
  ) {}

  /**
   * Creates the folder if necessary.
   * @throws StoreError if it can't be created
   */
  make(): void {
    makeFolder(this.path)
  }

  /** Creates a backup, which is named after the current time, and removes the oldest ones. @throws StoreError */
  async create(source: BackupSource, signal: AbortSignal): Promise<BackupResult & { readonly name: string }> {
    await removeStaleWorkFolders(this.path)
    const name = nameAt(source.clock())
    const backup = await createBackup(source, join(this.path, name), signal)
    await this.prune()
    return { ...backup, name }
  }

  /** Lists our files, the oldest first. */
  async list(): Promise<BackupFile[]> {
    const files: BackupFile[] = []
    for (const name of await this.names()) {
      const time = timeOf(BACKUP_NAME.exec(name)?.[1])
      const stats = time === undefined ? undefined : await fs.stat(join(this.path, name)).catch(unlessMissing)
      if (time !== undefined && stats) files.push({ name, time, size: stats.size })
    }
    return files.sort((a, b) => a.time - b.time)
  }

  private async names(): Promise<string[]> {
    return (await fs.readdir(this.path).catch(unlessMissing)) ?? []
  }

  /** Removes our oldest files. */
  private async prune(): Promise<void> {
    const surplus = (await this.list()).slice(0, -this.keep)
    for (const { name } of surplus) await fs.rm(join(this.path, name), { force: true })
  }
}

/** Returns the folder of a board's backups; undefined if none is configured. */
export const backupFolderOf = ({ backupDir, backupKeep }: Pick<Config, 'backupDir' | 'backupKeep'>) =>
  backupDir === undefined ? undefined : new BackupFolder(backupDir, backupKeep)

const nameAt = (now: number) => `corkboard-${timestamp(now).slice(0, 19).replaceAll(':', '-')}Z.tar`

/** Parses the time in a file name, such as `2026-01-10T03-00-00Z`, into milliseconds. */
function timeOf(text: string | undefined): number | undefined {
  const [day, time] = text?.split('T') ?? []
  return day === undefined || time === undefined
    ? undefined
    : parseTimestamp(`${day}T${time.replaceAll('-', ':')}`)
}
