import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { SECOND, timestamp } from '../base/clock.ts'
import { version } from '../config/version.ts'
import { ArchiveWriter, fileEntry, textEntry } from './archive.ts'
import { type BackupDescription, DESCRIPTION_FILE } from './backupFormat.ts'
import { withoutDeletedData } from './deletedData.ts'
import { DATA_FILE, LOGO_FOLDER } from './folder.ts'

/** What a backup archive contains. */
interface BackupContents {
  /** In milliseconds since 1970. */
  readonly takenAt: number
  /** The schema version of the records. */
  readonly schema: number
  /** The copy of the data file. */
  readonly data: string
  /** Whether the copy has no free pages. */
  readonly isCompact: boolean
  readonly logos: readonly { readonly name: string; readonly path: string }[]
  /** Further files, each with its path in the data directory. */
  readonly others?: readonly { readonly name: string; readonly text: string }[]
}

/**
 * Writes a backup archive, and returns its size in bytes.
 * @param pace its `after` is awaited after each chunk
 */
export async function writeBackupArchive(
  file: FileHandle,
  { takenAt, schema, data, isCompact, logos, others = [] }: BackupContents,
  pace: { after(bytes: number): Promise<void> },
): Promise<number> {
  const archive = new ArchiveWriter(file, takenAt / SECOND, pace)
  const description: BackupDescription = { corkboard: version, schema, taken_at: timestamp(takenAt) }
  await archive.add({ name: DESCRIPTION_FILE, ...textEntry(`${JSON.stringify(description)}\n`) })
  const records = await fileEntry(data)
  await archive.add({ name: DATA_FILE, ...records, ...(isCompact && { chunks: withoutDeletedData(data) }) })
  for (const { name, path } of logos)
    await archive.add({ name: join(LOGO_FOLDER, name), ...(await fileEntry(path)) })
  for (const { name, text } of others) await archive.add({ name, ...textEntry(text) })
  return await archive.finish()
}
