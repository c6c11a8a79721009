import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { unlessMissing } from '../../base/error.ts'
import type { Config } from '../../config/config.ts'
import { makeFolder } from '../../store/folder.ts'
import { withFileErrorsAsync } from '../../store/storeError.ts'
import { removeStaleWorkFolders } from '../../store/workFolder.ts'
import { type BackupResult, type BackupSource, createBackup } from './actions.ts'
import { ENCRYPTED, nameAt, timeIn } from './names.ts'

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
    await this.prune(name)
    return { ...backup, name }
  }

  pathOf(name: string): string {
    return join(this.path, name)
  }

  /** Lists our files, the oldest first. @throws StoreError if the folder can't be read */
  async list(): Promise<BackupFile[]> {
    return await withFileErrorsAsync(this.path, () => this.readFiles())
  }

  private async readFiles(): Promise<BackupFile[]> {
    const files: BackupFile[] = []
    for (const name of await this.names()) {
      const time = name.endsWith(ENCRYPTED) ? undefined : timeIn(name)
      const stats = time === undefined ? undefined : await fs.stat(join(this.path, name)).catch(unlessMissing)
      if (time !== undefined && stats) files.push({ name, time, size: stats.size })
    }
    return files.sort((a, b) => a.time - b.time)
  }

  private async names(): Promise<string[]> {
    return (await fs.readdir(this.path).catch(unlessMissing)) ?? []
  }

  /** Removes our oldest files. The new one stays, even if others have later times because the clock was wrong. */
  private async prune(newName: string): Promise<void> {
    const others = (await this.list()).filter(({ name }) => name !== newName)
    const surplus = others.slice(0, Math.max(0, others.length + 1 - this.keep))
    for (const { name } of surplus) await fs.rm(join(this.path, name), { force: true })
  }
}

/** Returns the folder of a board's backups; undefined if none is configured. */
export const backupFolderOf = ({ backupDir, backupKeep }: Pick<Config, 'backupDir' | 'backupKeep'>) =>
  backupDir === undefined ? undefined : new BackupFolder(backupDir, backupKeep)
