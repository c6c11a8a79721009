import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { commit } from './commit.ts'
import type { Databases } from './databases.ts'
import { LOCK_FILE } from './folder.ts'
import type { Journal } from './journal/journal.ts'
import { takeLock } from './lock.ts'
import { migrate, requireSupported, SCHEMA_VERSION } from './migrations.ts'
import type { Tables } from './tables.ts'
import { backUpBeforeUpgrade } from './upgradeBackup.ts'

const VERSION_KEY = 'version'

/** What happened to a store of an older version when it was opened. */
export interface Upgrade {
  /** The schema version before. */
  readonly from: number
  /** The path of the backup that was made first; undefined if it was left out. */
  readonly backup: string | undefined
}

/** The parts of a store that is being opened. */
interface OpenedStore {
  readonly folder: string
  readonly databases: Databases
  readonly tables: Tables
  readonly journal: Journal
  readonly clock: Clock
  readonly hasLock: boolean
  /** Whether to back up a store of an older version. */
  readonly upgradeBackup: boolean
  /** Throws if the disk is full. */
  readonly requireSpace: () => void
}

/**
 * Brings a store to the schema version of this program: backs up an older one and migrates it, in one transaction.
 * @returns undefined if the store was not older
 * @throws StoreError if it is newer, in use, or could not be backed up
 */
export async function upgradeStore(store: OpenedStore): Promise<Upgrade | undefined> {
  const { folder, databases, hasLock } = store
  const version = databases.meta.get(VERSION_KEY)
  if (version === SCHEMA_VERSION) return undefined
  requireSupported(version, folder)
  // The rows must not change while a server of the older version runs.
  const lock = hasLock ? undefined : takeLock(join(folder, LOCK_FILE), folder)
  try {
    return await upgradeLocked(store)
  } finally {
    lock?.release()
  }
}

async function upgradeLocked(store: OpenedStore): Promise<Upgrade | undefined> {
  const { folder, databases, tables, journal, clock, upgradeBackup, requireSpace } = store
  // Another process may have upgraded it before the lock was taken.
  const from = databases.meta.get(VERSION_KEY)
  if (from === SCHEMA_VERSION) return undefined
  requireSpace()
  const backup =
    from === undefined || !upgradeBackup
      ? undefined
      : await backUpBeforeUpgrade(databases, folder, from, clock())
  await commit(databases, () => {
    const now = clock()
    if (from !== undefined)
      migrate(tables, databases, from, (...change) => journal.recordMigration(...change, now))
    journal.findMoments(now)
    void databases.meta.put(VERSION_KEY, SCHEMA_VERSION)
  })
  return from === undefined ? undefined : { from, backup }
}
