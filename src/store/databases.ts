import { existsSync, promises as fs } from 'node:fs'
import { join } from 'node:path'
import type { Database, RootDatabase } from 'lmdb'
import { inspectDataFile, MAP_SIZE } from './dataFile.ts'
import { DATA_FILE } from './folder.ts'
import { addFallbackFolder } from './nativeAddon.ts'

const MAX_DATABASES = 32

/** The number 1 as JSON. */
const ONE = Buffer.from('1')
/** The options of a database in which only keys matter. All values are 1, and are not encoded one by one, which takes time. */
const ONLY_KEYS = { encoding: 'binary', encoder: { encode: () => ONE, decode: () => 1 } } as const

/** The LMDB environment and the databases that all tables share. */
export interface Databases {
  readonly env: RootDatabase
  /** Table name → the last id that was assigned. */
  readonly counters: Database<number, string>
  /** [table, column, parent's id, id] → 1. */
  readonly references: Database<1, [string, string, number, number]>
  /** [table, column, folded value] → id. */
  readonly uniques: Database<number, [string, string, string]>
  /** [time of its next moment, job's id] → 1. */
  readonly moments: Database<1, [number, number]>
  /** The version of the store and the time of the last backup. */
  readonly meta: Database<number, string>
}

/**
 * Copies the records of one commit into a data file in another folder, while others write. The copy may not be on disk
 * yet.
 * @returns whether free pages were left out, which LMDB can do only if no page was lost
 */
export async function copyDatabases({ env }: Databases, folder: string): Promise<boolean> {
  try {
    await env.backup(folder, true)
    return true
  } catch (error) {
    if (!String(error).includes('MDB_INCOMPATIBLE')) throw error
    await fs.rm(join(folder, DATA_FILE), { force: true })
    await env.backup(folder, false)
    return false
  }
}

/**
 * Opens the databases of an existing data directory.
 * @throws StoreError if the data file is damaged
 */
export async function openDatabases(folder: string): Promise<Databases> {
  const data = join(folder, DATA_FILE)
  if (existsSync(data)) inspectDataFile(data)
  // Imported here because many commands don't need its native code, which may have to be unpacked into the folder.
  addFallbackFolder(folder)
  const { open } = await import('lmdb')
  // lmdb-js creates its files with the mode of the umask.
  const before = process.umask(0o077)
  try {
    const env = open({
      path: folder,
      noSubdir: false,
      mapSize: MAP_SIZE,
      maxDbs: MAX_DATABASES,
      // With the default, a commit resolves before it is on disk.
      overlappingSync: false,
      encoding: 'json',
    })
    return {
      env,
      counters: env.openDB({ name: 'counters' }),
      references: env.openDB({ name: 'references', ...ONLY_KEYS }),
      uniques: env.openDB({ name: 'uniques' }),
      moments: env.openDB({ name: 'moments', ...ONLY_KEYS }),
      meta: env.openDB({ name: 'meta' }),
    }
  } finally {
    process.umask(before)
  }
}
