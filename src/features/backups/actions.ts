import { promises as fs } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, floorToSecond } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { LogoFiles } from '../../images/logoFiles.ts'
import { writeBackupArchive } from '../../store/backupArchive.ts'
import { isBackup } from '../../store/backupFormat.ts'
import { freeSpace, MIN_FREE_SPACE } from '../../store/diskSpace.ts'
import { syncFolder, writeDurably } from '../../store/durable.ts'
import { DATA_FILE } from '../../store/folder.ts'
import { SCHEMA_VERSION } from '../../store/migrations.ts'
import type { Store } from '../../store/store.ts'
import { StoreError, withFileErrorsAsync } from '../../store/storeError.ts'
import { withWorkFolder } from '../../store/workFolder.ts'
import type { TlsFolder } from '../../tls/tlsFolder.ts'
import { Throttle } from './throttle.ts'

/** The name of the backup until it is complete. */
export const UNFINISHED_NAME = 'backup'

/** The board to back up. */
export interface BackupSource {
  readonly store: Store
  readonly images: { readonly logos: LogoFiles }
  readonly clock: Clock
  /** The board's certificate and account, if the backup should contain them. */
  readonly tls?: TlsFolder
}

/** The result of a backup. */
export interface BackupResult {
  /** In bytes. */
  readonly size: number
  /** The number of logos. */
  readonly logos: number
  /** Whether it may contain deleted records, because the data file has lost pages. */
  readonly hasDeletedData: boolean
}

export const DELETED_DATA_WARNING =
  'The backup may contain deleted records, because the data file has pages that are neither used nor free. To remove them, export the board and import it into a new data directory.'

/**
 * Writes records and logos to one file, as they are at one moment, while others change them. The file gets its name once
 * it is complete and on disk. It replaces an older backup of the same name.
 * @param signal stops the backup
 * @throws StoreError, Problem 'full'
 */
export async function createBackup(
  source: BackupSource,
  path: string,
  signal?: AbortSignal,
): Promise<BackupResult> {
  const takenAt = floorToSecond(source.clock())
  const result = await withFileErrorsAsync(path, async () => {
    await requireReplaceable(path)
    return await withWorkFolder(dirname(path), async unfinished => {
      const backup = await writeBackup(source, takenAt, unfinished, signal)
      await fs.rename(join(unfinished, UNFINISHED_NAME), path)
      await syncFolder(dirname(path))
      return backup
    })
  })
  await recordTime(source.store, 'backup', takenAt)
  return result
}

/** Records the time of a backup or an upload, unless the disk is too full for that. */
export async function recordTime(store: Store, name: 'backup' | 'upload', time: number) {
  try {
    await store.recordTime(name, time)
  } catch (error) {
    if (!(error instanceof Problem && error.kind === 'full')) throw error
  }
}

/** Refuses to replace a file that isn't a backup. */
async function requireReplaceable(path: string) {
  const found = await fs.stat(path).catch(() => undefined)
  if (found && !(found.isFile() && (await isBackup(path))))
    throw new StoreError(`${path} exists and isn't a backup. It was not changed.`)
}

/**
 * Copies the records at full speed, because LMDB can't reuse pages during the copy, and then writes the archive slowly. The
 * logos are locked before that, so that no file of a record is missing.
 */
export async function writeBackup(
  source: BackupSource,
  takenAt: number,
  folder: string,
  signal?: AbortSignal,
): Promise<BackupResult> {
  const { store, images } = source
  const { logos } = images
  const lock = await logos.preventRemoval()
  try {
    requireSpace(folder, 2 * store.size)
    const isCompact = await store.copyTo(folder)
    const files = await logos.list()
    requireSpace(
      folder,
      files.reduce((sum, { size }) => sum + size, store.size),
    )
    const contents = {
      takenAt,
      schema: SCHEMA_VERSION,
      data: join(folder, DATA_FILE),
      isCompact,
      logos: files.map(({ name }) => ({ name, path: logos.pathOf(name) })),
      others: (await source.tls?.files()) ?? [],
    }
    const size = await writeDurably(join(folder, UNFINISHED_NAME), file =>
      writeBackupArchive(file, contents, new Throttle(file, signal)),
    )
    return { size, logos: files.length, hasDeletedData: !isCompact }
  } finally {
    lock.release()
  }
}

function requireSpace(folder: string, needed: number) {
  if (freeSpace(folder) < needed + MIN_FREE_SPACE)
    throw new Problem('full', `There is not enough disk space for a backup, which needs ${needed} bytes.`)
}
