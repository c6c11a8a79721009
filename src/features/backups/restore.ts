import { existsSync, promises as fs, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isLogoName, LOGO_FOLDER, LogoFiles } from '../../images/logoFiles.ts'
import { type ArchiveEntry, readArchive } from '../../store/archive.ts'
import { inspectDataFile } from '../../store/dataFile.ts'
import { syncFolder, writeDurably } from '../../store/durable.ts'
import { DATA_FILE, LOCK_FILE, makeFolder } from '../../store/folder.ts'
import { takeLock } from '../../store/lock.ts'
import { SCHEMA_VERSION } from '../../store/migrations.ts'
import { Store } from '../../store/store.ts'
import { StoreError, withFileErrors, withFileErrorsAsync } from '../../store/storeError.ts'
import { removeStaleWorkFolders, withWorkFolder } from '../../store/workFolder.ts'
import { type BackupDescription, DESCRIPTION_FILE, parseDescription } from './format.ts'

/** What may lie in a directory into which a board is restored. */
const ALLOWED_NAMES = [LOCK_FILE, '.gitignore', 'lost+found']
/** So do the names of folders that are only there for a while. */
const TEMPORARY_NAME = /^\.corkboard-/
const LOGO_PREFIX = `${LOGO_FOLDER}/`

/**
 * Puts a backup into a data directory that holds no board. The backup is read to its end and compared with its checksums
 * before the directory is touched.
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

/** Reads all of a backup, and changes nothing. */
async function verify(file: fs.FileHandle, path: string): Promise<BackupDescription> {
  const names = new Set<string>()
  let description: BackupDescription | undefined
  for await (const entry of readArchive(file, path)) {
    if (!isKnown(entry.name) || names.has(entry.name))
      throw new StoreError(`${path} is no Corkboard backup: it holds ${JSON.stringify(entry.name)}.`)
    names.add(entry.name)
    if (entry.name === DESCRIPTION_FILE) description = parseDescription(await textOf(entry))
    else for await (const _ of entry.chunks);
  }
  if (!description || !names.has(DATA_FILE)) throw new StoreError(`${path} is no Corkboard backup.`)
  if (description.schema > SCHEMA_VERSION)
    throw new StoreError(`${path} was taken by a newer Corkboard (${description.corkboard}). Use that one.`)
  return description
}

const isLogo = (name: string) => name.startsWith(LOGO_PREFIX) && isLogoName(name.slice(LOGO_PREFIX.length))

const isKnown = (name: string) => name === DESCRIPTION_FILE || name === DATA_FILE || isLogo(name)

async function textOf({ chunks }: ArchiveEntry): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts).toString()
}

function requireEmpty(folder: string) {
  const names = withFileErrors(folder, () => listNames(folder))
  // that somebody uses it says more than that it is not empty
  if (names.includes(LOCK_FILE)) takeLock(join(folder, LOCK_FILE), folder).release()
  const other = names.includes(DATA_FILE)
    ? DATA_FILE
    : names.find(name => !ALLOWED_NAMES.includes(name) && !TEMPORARY_NAME.test(name))
  if (other !== undefined)
    throw new StoreError(`${folder} is not empty: it holds ${other}. Restore into a new directory.`)
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/**
 * Removes what a restore left that was killed. Logos are in place before the records: where the records still wait and
 * the logos don't, those in place are the restore's.
 */
async function removeUnfinishedRestore(folder: string) {
  await removeStaleWorkFolders(folder, async remains => {
    const isBetween = existsSync(join(remains, DATA_FILE)) && !existsSync(join(remains, LOGO_FOLDER))
    if (isBetween && !existsSync(join(folder, DATA_FILE)))
      await fs.rm(join(folder, LOGO_FOLDER), { recursive: true, force: true })
  })
}

/** Writes logos and records into a folder of their own and opens the board there once, then puts both in place. */
async function unpack(file: fs.FileHandle, path: string, folder: string) {
  await withWorkFolder(folder, async unfinished => {
    const logos = await LogoFiles.open(join(unfinished, LOGO_FOLDER))
    for await (const entry of readArchive(file, path)) await unpackEntry(entry, unfinished)
    await syncFolder(join(unfinished, LOGO_FOLDER))
    inspectDataFile(join(unfinished, DATA_FILE))
    await removeStrayLogos(unfinished, logos)
    for (const name of [LOGO_FOLDER, DATA_FILE]) await fs.rename(join(unfinished, name), join(folder, name))
    await syncFolder(folder)
  })
}

async function unpackEntry({ name, chunks }: ArchiveEntry, folder: string) {
  if (name === DESCRIPTION_FILE || !isKnown(name)) for await (const _ of chunks);
  else await writeDurably(join(folder, name), file => writeAll(file, chunks))
}

async function writeAll(file: fs.FileHandle, chunks: ArchiveEntry['chunks']) {
  for await (const chunk of chunks) await file.writeFile(chunk)
}

/** Takes the logos that were stored or given up just when the backup was taken: no record names them. */
async function removeStrayLogos(folder: string, logos: LogoFiles) {
  const store = await Store.open(folder, { shared: true })
  try {
    await logos.removeOrphans(() => store.read.jobs.all().map(job => job.logo))
  } finally {
    await store.close()
  }
}
