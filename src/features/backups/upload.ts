import { join } from 'node:path'
import { floorToSecond } from '../../base/clock.ts'
import { withWorkFolder } from '../../store/workFolder.ts'
import { type BackupResult, type BackupSource, recordTime, UNFINISHED_NAME, writeBackup } from './actions.ts'
import { nameAt } from './names.ts'
import type { RemoteBackups } from './remote.ts'

interface UploadedBackup extends BackupResult {
  /** Where it is, as `s3://…`. */
  readonly url: string
}

/**
 * Makes a backup in a work folder of the data directory, and uploads it.
 * @param name its name in the folder of the bucket, otherwise named after the current time
 */
export async function createAndUpload(
  source: BackupSource,
  remote: RemoteBackups,
  signal: AbortSignal,
  name?: string,
): Promise<UploadedBackup> {
  const { store, clock } = source
  const takenAt = floorToSecond(clock())
  const uploaded = await withWorkFolder(store.folder, async folder => {
    const backup = await writeBackup(source, takenAt, folder, signal)
    const url = await remote.upload(join(folder, UNFINISHED_NAME), name ?? nameAt(takenAt), signal)
    return { ...backup, url }
  })
  await recordTime(store, 'backup', takenAt)
  await recordTime(store, 'upload', floorToSecond(clock()))
  return uploaded
}
