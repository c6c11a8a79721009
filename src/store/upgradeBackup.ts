import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { floorToSecond, timestamp } from '../base/clock.ts'
import { unlessMissing } from '../base/error.ts'
import { writeBackupArchive } from './backupArchive.ts'
import { copyDatabases, type Databases } from './databases.ts'
import { freeSpace, MIN_FREE_SPACE } from './diskSpace.ts'
import { syncFolder, writeDurably } from './durable.ts'
import { DATA_FILE, LOGO_FOLDER } from './folder.ts'
import { reasonOf, StoreError } from './storeError.ts'
import { withWorkFolder } from './workFolder.ts'

/** The flag of `serve` that leaves out the backup. */
export const NO_UPGRADE_BACKUP = 'no-upgrade-backup'

/** An archive that nobody waits for at the same time as others needs no pauses. */
const FULL_SPEED = { after: async () => {} }

/**
 * Backs up a data directory of an older version into itself. The caller has the lock, so nothing changes meanwhile.
 * @param from the schema version
 * @returns the path of the backup, which is complete and on disk
 * @throws StoreError if that fails
 */
export async function backUpBeforeUpgrade(
  databases: Databases,
  folder: string,
  from: number,
  now: number,
): Promise<string> {
  const takenAt = floorToSecond(now)
  const time = timestamp(takenAt).slice(0, 19).replaceAll(':', '-')
  const path = join(folder, `before-upgrade-from-${from}-${time}Z.tar`)
  try {
    const logos = await listLogos(join(folder, LOGO_FOLDER))
    const size = (await fs.stat(join(folder, DATA_FILE))).size
    const needed = logos.reduce((sum, logo) => sum + logo.size, 2 * size)
    if (freeSpace(folder) < needed + MIN_FREE_SPACE)
      throw new Error(`it needs ${needed} bytes of disk space, besides ${MIN_FREE_SPACE} that stay free`)
    await withWorkFolder(folder, async unfinished => {
      const isCompact = await copyDatabases(databases, unfinished)
      const data = join(unfinished, DATA_FILE)
      const archive = join(unfinished, 'backup')
      await writeDurably(archive, file =>
        writeBackupArchive(file, { takenAt, schema: from, data, isCompact, logos }, FULL_SPEED),
      )
      await fs.rename(archive, path)
      await syncFolder(folder)
    })
    return path
  } catch (error) {
    throw new StoreError(
      `${folder} must be upgraded from schema version ${from}, but the backup before that failed: ${reasonOf(error)}. Nothing was changed. Fix this, or leave the backup out with serve --${NO_UPGRADE_BACKUP}.`,
    )
  }
}

interface LogoFile {
  readonly name: string
  readonly path: string
  readonly size: number
}

/** Lists the logos. A board without any may have no folder for them. */
async function listLogos(folder: string): Promise<LogoFile[]> {
  const names = (await fs.readdir(folder).catch(unlessMissing)) ?? []
  const complete = names.filter(name => name.endsWith('.webp'))
  return await Promise.all(
    complete.map(async name => {
      const path = join(folder, name)
      return { name, path, size: (await fs.stat(path)).size }
    }),
  )
}
