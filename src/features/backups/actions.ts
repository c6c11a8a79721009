import { promises as fs } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, SECOND, timestamp, wholeSeconds } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { version } from '../../config/version.ts'
import { LOGO_FOLDER, type LogoFiles } from '../../images/logofiles.ts'
import { ArchiveWriter, fileEntry, textEntry } from '../../store/archive.ts'
import { syncFolder, writeDurably } from '../../store/durable.ts'
import { StoreError, withAccessTo } from '../../store/failure.ts'
import { DATA_FILE } from '../../store/folder.ts'
import { SCHEMA_VERSION } from '../../store/migrations.ts'
import { withoutRemains } from '../../store/scrub.ts'
import { freeSpace, SPACE_KEPT_FREE } from '../../store/space.ts'
import type { Store } from '../../store/store.ts'
import { inWorkFolder } from '../../store/workFolder.ts'
import { type Description, DESCRIPTION_FILE, isBackup } from './format.ts'
import { Pace } from './pace.ts'

/** What the backup is called until it is whole. */
const WHOLE = 'backup'

/** What a backup is taken of. */
export interface Source {
  readonly store: Store
  readonly logos: LogoFiles
  readonly clock: Clock
}

/** What is in it; the size is in bytes. */
export interface Taken {
  readonly size: number
  readonly logos: number
  /** Whether deleted records may be in it too, since the data file has lost pages. */
  readonly hasRemains: boolean
}

/** What to say of a backup that has remains. */
export const REMAINS =
  'The backup may hold deleted records too: the data file has pages that are neither used nor free. Export the board, and import it into a new data directory.'

/**
 * Writes records and logos, as they are at one moment, into one file, while others go on writing them. The file has its
 * name only once it is whole and on disk; a backup of the same name is replaced.
 * @param signal gives it up
 * @throws StoreError
 */
export async function backUp(source: Source, path: string, signal?: AbortSignal): Promise<Taken> {
  const takenAt = wholeSeconds(source.clock())
  const taken = await withAccessTo(path, async () => {
    await requireReplaceable(path)
    return await inWorkFolder(dirname(path), async unfinished => {
      const parts = await write(source, takenAt, unfinished, signal)
      await fs.rename(join(unfinished, WHOLE), path)
      await syncFolder(dirname(path))
      return parts
    })
  })
  await note(source.store, takenAt)
  return taken
}

/** A disk too full to note it on does not unmake a backup. */
async function note(store: Store, takenAt: number) {
  try {
    await store.noteBackup(takenAt)
  } catch (error) {
    if (!(error instanceof Problem && error.kind === 'full')) throw error
  }
}

/** A name that stands for something else is more likely a slip than a wish. */
async function requireReplaceable(path: string) {
  const found = await fs.stat(path).catch(() => undefined)
  if (found && !(found.isFile() && (await isBackup(path))))
    throw new StoreError(`${path} is there already and is no backup. It was left as it is.`)
}

/**
 * LMDB copies the records at once, for while it does no page is used again; from there they take their time. The files
 * are kept before that: so each that the records name is there.
 */
async function write(source: Source, takenAt: number, folder: string, signal?: AbortSignal): Promise<Taken> {
  const { store, logos } = source
  const kept = await logos.keep()
  try {
    requireSpace(folder, 2 * store.size)
    const isCompact = await store.copyTo(folder)
    const files = await logos.list()
    requireSpace(
      folder,
      files.reduce((sum, { size }) => sum + size, store.size),
    )
    const size = await writeDurably(join(folder, WHOLE), async file => {
      const archive = new ArchiveWriter(file, takenAt / SECOND, new Pace(file, signal))
      await archive.add({ name: DESCRIPTION_FILE, ...textEntry(describe(takenAt)) })
      const records = await fileEntry(join(folder, DATA_FILE))
      await archive.add({
        name: DATA_FILE,
        ...records,
        ...(isCompact && { chunks: withoutRemains(join(folder, DATA_FILE)) }),
      })
      for (const { name } of files)
        await archive.add({ name: `${LOGO_FOLDER}/${name}`, ...(await fileEntry(logos.pathOf(name))) })
      return await archive.finish()
    })
    return { size, logos: files.length, hasRemains: !isCompact }
  } finally {
    kept.release()
  }
}

function describe(takenAt: number): string {
  const description: Description = {
    corkboard: version,
    schema: SCHEMA_VERSION,
    taken_at: timestamp(takenAt),
  }
  return `${JSON.stringify(description)}\n`
}

function requireSpace(folder: string, needed: number) {
  if (freeSpace(folder) < needed + SPACE_KEPT_FREE)
    throw new StoreError(`The disk has too little space for a backup: ${needed} bytes are needed.`)
}
