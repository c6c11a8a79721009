import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, RootDatabase } from 'lmdb'
import { inspectDataFile, MAP_SIZE } from './dataFile.ts'
import { DATA_FILE } from './folder.ts'
import { addFallbackFolder } from './nativeAddon.ts'

const MAX_DATABASES = 32

/** The databases that all tables share. */
export interface Databases {
  readonly env: RootDatabase
  /** Table name → the last id given out. */
  readonly counters: Database<number, string>
  /** [table, column, parent's id, id] → 1. */
  readonly references: Database<1, [string, string, number, number]>
  /** [table, column, folded value] → id. */
  readonly uniques: Database<number, [string, string, string]>
  /** What is known of the store as a whole. */
  readonly meta: Database<number, string>
}

/**
 * Opens the databases of a data directory that is there.
 * @throws StoreError if they are damaged
 */
export async function openDatabases(folder: string): Promise<Databases> {
  const data = join(folder, DATA_FILE)
  if (existsSync(data)) inspectDataFile(data)
  // only now, since its native code is of no use to commands that open nothing, and may have to be unpacked here
  addFallbackFolder(folder)
  const { open } = await import('lmdb')
  // lmdb-js makes its files with the mode that the umask leaves
  const before = process.umask(0o077)
  try {
    const env = open({
      path: folder,
      noSubdir: false,
      mapSize: MAP_SIZE,
      maxDbs: MAX_DATABASES,
      // the default promises durability only where the machine itself went down; see the library's README
      overlappingSync: false,
      encoding: 'json',
    })
    return {
      env,
      counters: env.openDB({ name: 'counters' }),
      references: env.openDB({ name: 'references' }),
      uniques: env.openDB({ name: 'uniques' }),
      meta: env.openDB({ name: 'meta' }),
    }
  } finally {
    process.umask(before)
  }
}
