import { existsSync, promises as fs, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../base/error.ts'
import { isLogoName, LogoFiles } from '../../images/logoFiles.ts'
import { type ArchiveEntry, readArchive } from '../../store/archive.ts'
import { type BackupDescription, DESCRIPTION_FILE, parseDescription } from '../../store/backupFormat.ts'
import { inspectDataFile } from '../../store/dataFile.ts'
import { syncFolder, writeDurably } from '../../store/durable.ts'
import { DATA_FILE, LOCK_FILE, LOGO_FOLDER, makeFolder } from '../../store/folder.ts'
import { boardLogo } from '../../store/liveConfig.ts'
import { takeLock } from '../../store/lock.ts'
import { SCHEMA_VERSION } from '../../store/migrations.ts'
import { Store } from '../../store/store.ts'
import { StoreError, withFileErrors, withFileErrorsAsync } from '../../store/storeError.ts'
import { removeStaleWorkFolders, withWorkFolder } from '../../store/workFolder.ts'
import { TLS_FOLDER, TLS_PATHS } from '../../tls/tlsFolder.ts'

/** Files that may be in the directory to which a board is restored. */
const ALLOWED_NAMES = [LOCK_FILE, '.gitignore', 'lost+found']
/** The names of temporary folders, which may be there too. */
const TEMPORARY_NAME = /^\.corkboard-/
const LOGO_PREFIX = `${LOGO_FOLDER}/`

/**
 * Restores a backup to a data directory without a board. The whole backup is verified before the directory is changed.
 * @throws StoreError if the backup is damaged or of a newer version, or the directory is not empty or in use
 */
export async function restore(path: string, folder: string): Promise<BackupDescription> {
  const file = await withFileErrorsAsync(path, () => fs.open(path, 'r'))
  try {
    const description = await withFileErrorsAsync(path, () => verify(file, path))
    await removeUnfinishedRestore(folder)
    requireEmpty(folder)
    makeFolder(folder)
    const lock = takeLock(join(folder, LOCK_FILE), folder)
    try {
      await withFileErrorsAsync(folder, () => unpack(file, path, folder))
    } finally {
      lock.release()
    }
    return description
  } finally {
    await file.close()
  }
}

/** Verifies a whole backup. */
async function verify(file: fs.FileHandle, path: string): Promise<BackupDescription> {
  const names = new Set<string>()
  let description: BackupDescription | undefined
  for await (const entry of readArchive(file, path)) {
    if (!isKnown(entry.name) || names.has(entry.name))
      throw new StoreError(`${path} isn't a Corkboard backup: it contains ${JSON.stringify(entry.name)}.`)
    names.add(entry.name)
    if (entry.name === DESCRIPTION_FILE) description = parseDescription(await textOf(entry))
    else for await (const _ of entry.chunks);
  }
  if (!description || !names.has(DATA_FILE)) throw new StoreError(`${path} isn't a Corkboard backup.`)
  if (description.schema > SCHEMA_VERSION)
    throw new StoreError(`${path} was created by a newer Corkboard (${description.corkboard}). Use that one.`)
  return description
}

const isLogo = (name: string) => name.startsWith(LOGO_PREFIX) && isLogoName(name.slice(LOGO_PREFIX.length))

const isKnown = (name: string) =>
  name === DESCRIPTION_FILE || name === DATA_FILE || isLogo(name) || TLS_PATHS.includes(name)

async function textOf({ chunks }: ArchiveEntry): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts).toString()
}

/** @throws StoreError if a directory isn't empty or is in use */
export function requireEmpty(folder: string) {
  const names = withFileErrors(folder, () => listNames(folder))
  // "in use" is more helpful than "not empty"
  if (names.includes(LOCK_FILE)) takeLock(join(folder, LOCK_FILE), folder).release()
  const other = names.includes(DATA_FILE)
    ? DATA_FILE
    : names.find(name => !ALLOWED_NAMES.includes(name) && !TEMPORARY_NAME.test(name))
  if (other !== undefined)
    throw new StoreError(`${folder} is not empty: it contains ${other}. Restore to a new directory.`)
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

/**
 * Removes the remains of a killed restore. Folders are put in place before the records: if the records are still in the work
 * folder but the logos aren't, the folders in place belong to that restore.
 */
async function removeUnfinishedRestore(folder: string) {
  await removeStaleWorkFolders(folder, async remains => {
    const isBetween = existsSync(join(remains, DATA_FILE)) && !existsSync(join(remains, LOGO_FOLDER))
    if (isBetween && !existsSync(join(folder, DATA_FILE)))
      for (const name of [LOGO_FOLDER, TLS_FOLDER])
        await fs.rm(join(folder, name), { recursive: true, force: true })
  })
}

/** Writes logos and records to a work folder, opens the board there once, then puts both in place. */
async function unpack(file: fs.FileHandle, path: string, folder: string) {
  await withWorkFolder(folder, async unfinished => {
    const logos = await LogoFiles.open(unfinished)
    for await (const entry of readArchive(file, path)) await unpackEntry(entry, unfinished)
    await syncFolder(join(unfinished, LOGO_FOLDER))
    inspectDataFile(join(unfinished, DATA_FILE))
    await removeStrayLogos(unfinished, logos)
    for (const name of [LOGO_FOLDER, TLS_FOLDER, DATA_FILE])
      if (name !== TLS_FOLDER || existsSync(join(unfinished, name)))
        await fs.rename(join(unfinished, name), join(folder, name))
    await syncFolder(folder)
  })
}

async function unpackEntry({ name, chunks }: ArchiveEntry, folder: string) {
  if (TLS_PATHS.includes(name)) makeFolder(join(folder, TLS_FOLDER))
  if (name === DESCRIPTION_FILE || !isKnown(name)) for await (const _ of chunks);
  else await writeDurably(join(folder, name), file => writeAll(file, chunks))
}

async function writeAll(file: fs.FileHandle, chunks: ArchiveEntry['chunks']) {
  for await (const chunk of chunks) await file.writeFile(chunk)
}

/** Removes logos that were stored or replaced during the backup, which no record uses. */
async function removeStrayLogos(folder: string, logos: LogoFiles) {
  // The backup itself is the one of the older version.
  const store = await Store.open(folder, { shared: true, upgradeBackup: false })
  try {
    await logos.removeOrphans(() => [boardLogo(store.read), ...store.read.jobs.all().map(job => job.logo)])
  } finally {
    await store.close()
  }
}
