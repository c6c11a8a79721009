import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, floorToSecond, systemClock } from '../base/clock.ts'
import { commit, putSeal, sealOf } from './commit.ts'
import { copyDatabases, type Databases, openDatabases } from './databases.ts'
import { freeSpace, MIN_FREE_SPACE, outOfSpace } from './diskSpace.ts'
import { DATA_FILE, LOCK_FILE, makeFolder, requireStore } from './folder.ts'
import { findIntegrityErrors } from './integrity.ts'
import type { IntegrityError } from './integrityError.ts'
import { Journal } from './journal/journal.ts'
import { type Actor, SYSTEM } from './journal/journalRow.ts'
import { type Lock, takeLock } from './lock.ts'
import { releaseMappedPages } from './mappedPages.ts'
import type { OpenOptions, WriteOptions } from './storeOptions.ts'
import { type Change, openTables, type TableReaders, type Tables } from './tables.ts'
import { type Upgrade, upgradeStore } from './upgrade.ts'
import { WriteCounts } from './writeCounts.ts'

const WRITES_BETWEEN_CHECKS = 256

/** The last backup, the last one that was uploaded, and the last e-mail about one that failed. */
type StoredTime = 'backup' | 'upload' | 'backupMail'

/** Called with the changes of every commit, in order, before the write resolves, and with who made them. */
type ChangeListener = (changes: readonly Change[], actor: Actor) => void

/** The records of a board. Reads are synchronous and see the last commit; every write is one transaction. */
export class Store {
  private readonly tables: Tables
  readonly journal: Journal
  readonly writeCounts = new WriteCounts()
  private readonly listeners: ChangeListener[] = []
  /** Set if the store was of an older version. */
  upgrade: Upgrade | undefined
  private changes: Change[] = []
  private writes = 0

  private constructor(
    readonly folder: string,
    private readonly databases: Databases,
    private readonly lock: Lock | undefined,
    private readonly clock: Clock,
    private readonly actor: Actor,
  ) {
    this.tables = openTables(databases, change => {
      // An import has many changes and no listeners.
      if (this.listeners.length > 0) this.changes.push(change)
      this.journal.record(change)
    })
    this.journal = new Journal(this.tables, databases.moments)
  }

  /**
   * Opens a data directory, and creates it if necessary. One of an older version is backed up and migrated.
   * @throws StoreError if the directory is in use, damaged, of a newer version, or missing with `shared`
   */
  static async open(
    folder: string,
    { shared = false, clock = systemClock, actor = SYSTEM, upgradeBackup = true }: OpenOptions = {},
  ): Promise<Store> {
    if (shared) requireStore(folder)
    else makeFolder(folder)
    const lock = shared ? undefined : takeLock(join(folder, LOCK_FILE), folder)
    try {
      const databases = await openDatabases(folder)
      try {
        const store = new Store(folder, databases, lock, clock, actor)
        store.upgrade = await store.upgradeNow(upgradeBackup)
        return store
      } catch (error) {
        await databases.env.close()
        throw error
      }
    } catch (error) {
      lock?.release()
      throw error
    }
  }

  get read(): TableReaders {
    return this.tables
  }

  /**
   * Runs `change` as one transaction, and resolves with its result once the changes are on disk. If it throws, nothing is
   * changed. It must be synchronous: a callback that awaits can roll back the writes of other requests. The journal is
   * written in the same transaction.
   * @throws Problem `full` if there is not enough disk space
   */
  async write<T>(
    change: (tables: Tables) => T extends PromiseLike<unknown> ? never : T,
    { actor = this.actor, size }: WriteOptions = {},
  ): Promise<T> {
    this.requireSpace(size)
    // Frees the pages that killed commands were reading. Otherwise they could never be reused.
    if (++this.writes % WRITES_BETWEEN_CHECKS === 0) this.databases.env.readerCheck()
    let changes: Change[] = []
    const result = await this.writeCounts.measure(begin =>
      commit(this.databases, () => {
        begin()
        this.changes = []
        this.journal.begin(actor, this.clock())
        const value = change(this.tables)
        changes = this.changes
        return value
      }),
    )
    for (const listener of this.listeners) listener(changes, actor)
    return result
  }

  /** Runs a part of a transaction, inside `write`. If it throws, its own changes are undone, and the others stay. */
  attempt<T>(change: () => T): T {
    const count = this.changes.length
    try {
      return this.databases.env.transactionSync(change)
    } catch (error) {
      this.changes.length = count
      throw error
    }
  }

  /** Copies the records into a data file in another folder, as `copyDatabases` does. */
  copyTo(folder: string): Promise<boolean> {
    return copyDatabases(this.databases, folder)
  }

  /** Finds errors in records, references, indexes, counters and the journal. */
  findIntegrityErrors(): IntegrityError[] {
    return findIntegrityErrors(this.databases, this.tables, floorToSecond(this.clock()))
  }

  /** Fixes the errors that can be fixed, in one transaction. */
  async repair(errors: readonly IntegrityError[]): Promise<void> {
    await this.write(() => {
      for (const { repair } of errors) repair?.()
    })
  }

  /** The size of the data file in bytes, including the space of deleted records. */
  get size(): number {
    return statSync(join(this.folder, DATA_FILE)).size
  }

  /** Releases the memory of records that were read. They stay in the system's cache. */
  releaseMemory(): void {
    releaseMappedPages(realpathSync(join(this.folder, DATA_FILE)))
  }

  /** The time of the last backup, in milliseconds since 1970; undefined if there was none. */
  get lastBackupAt(): number | undefined {
    return this.timeOf('backup')
  }

  /** Identifies the present state of the records; undefined if there was a write in any process since `putSeal`. */
  get seal(): string | undefined {
    return sealOf(this.databases)
  }

  /** Makes the present state of the records identifiable, by a seal that the next write removes. */
  async putSeal(): Promise<void> {
    this.requireSpace()
    await putSeal(this.databases)
  }

  /** Returns a time that is stored with the records, in milliseconds since 1970. */
  timeOf = (name: StoredTime): number | undefined => this.databases.meta.get(name)

  async recordTime(name: StoredTime, time: number): Promise<void> {
    this.requireSpace()
    await commit(this.databases, () => void this.databases.meta.put(name, time))
  }

  /** Calls `listener` after every commit from now on. */
  subscribe(listener: ChangeListener): void {
    this.listeners.push(listener)
  }

  /**
   * Requires that the disk has space to write.
   * @param size the number of bytes, if that is more than a few records
   * @throws Problem 'full'
   */
  requireSpace(size = 0): void {
    if (freeSpace(this.folder) < MIN_FREE_SPACE + size) throw outOfSpace()
  }

  async close(): Promise<void> {
    // lmdb ends the last read by a timer, which throws if the store is closed before.
    await new Promise(resolve => setTimeout(resolve)).then(() => this.databases.env.close())
    this.lock?.release()
  }

  private upgradeNow(upgradeBackup: boolean): Promise<Upgrade | undefined> {
    const { folder, databases, tables, journal, clock } = this
    const checks = { hasLock: this.lock !== undefined, requireSpace: () => this.requireSpace() }
    return upgradeStore({ folder, databases, tables, journal, clock, upgradeBackup, ...checks })
  }
}
