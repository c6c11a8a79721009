import { createReadStream, promises as fs } from 'node:fs'
import { join } from 'node:path'
import { OptionError, UsageError } from '../../config/errors.ts'
import { type S3Location, s3Url } from '../../config/operationValues.ts'
import type { BackupDescription } from '../../store/backupFormat.ts'
import { freeSpace, MIN_FREE_SPACE } from '../../store/diskSpace.ts'
import { writeDurably } from '../../store/durable.ts'
import { makeFolder } from '../../store/folder.ts'
import { StoreError, withFileErrorsAsync } from '../../store/storeError.ts'
import { withWorkFolder } from '../../store/workFolder.ts'
import { HEADER_SIZE, isEncrypted } from './encryption.ts'
import { ENCRYPTED } from './names.ts'
import { decryptedIfNeeded, RemoteBackups, type RemoteOptions } from './remote.ts'
import { requireEmpty, restore } from './restore.ts'

/** The name of the downloaded or decrypted backup, in a work folder. */
const FILE = 'restore.tar'

/** Returns whether an argument names a bucket instead of a file. */
export const isS3Url = (text: string) => text.startsWith('s3://')

/** Parses the URL of a folder or a backup in a bucket. @throws UsageError */
export function locationOf(text: string): S3Location {
  const location = s3Url(text)
  if (location instanceof OptionError) throw new UsageError([`${text} ${location.sentence}.`])
  return location
}

/**
 * Restores a file, which may be encrypted, to a data directory without a board.
 * @throws StoreError
 */
export async function restoreFile(
  path: string,
  folder: string,
  key: Uint8Array | undefined,
): Promise<BackupDescription> {
  const isCopied = path.endsWith(ENCRYPTED) || (await withFileErrorsAsync(path, () => startsEncrypted(path)))
  if (!isCopied) return await restore(path, folder)
  const { size } = await withFileErrorsAsync(path, () => fs.stat(path))
  return await restoreCopy(folder, size, copy =>
    writeDurably(copy, async target => {
      for await (const chunk of decryptedIfNeeded(createReadStream(path), key, path))
        await target.writeFile(chunk)
    }),
  )
}

/**
 * Downloads the named backup or, if the location names none, the newest one, and restores it.
 * @param pause in milliseconds, before a request is tried again
 * @throws StoreError, S3Error
 */
export async function restoreFromS3(
  location: S3Location,
  folder: string,
  options: RemoteOptions,
  pause?: number,
): Promise<BackupDescription> {
  const remote = new RemoteBackups(location, options, pause)
  const backup = await remote.find()
  return await restoreCopy(folder, backup.size, copy => remote.download(backup, copy))
}

/** Restores a backup that is first written to a work folder. Nothing else is changed if that fails. */
async function restoreCopy(
  folder: string,
  size: number,
  write: (path: string) => Promise<void>,
): Promise<BackupDescription> {
  requireEmpty(folder)
  makeFolder(folder)
  // The copy and the restored board are on the disk at the same time.
  if (freeSpace(folder) < 2 * size + MIN_FREE_SPACE)
    throw new StoreError(`${folder} doesn't have enough disk space: the backup needs ${2 * size} bytes.`)
  return await withWorkFolder(folder, async work => {
    const copy = join(work, FILE)
    await withFileErrorsAsync(folder, () => write(copy))
    return await restore(copy, folder)
  })
}

async function startsEncrypted(path: string): Promise<boolean> {
  const file = await fs.open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_SIZE), 0, HEADER_SIZE, 0)
    return isEncrypted(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}
