import { promises as fs, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Databases, openDatabases } from './databases.ts'
import { causeOf, freeSpace, isOutOfSpace, MIN_FREE_SPACE, outOfSpace } from './diskSpace.ts'
import { DATA_FILE, LOCK_FILE, makeFolder, requireStore } from './folder.ts'
import { findIntegrityErrors, type IntegrityError } from './integrity.ts'
import { type Lock, takeLock } from './lock.ts'
import { migrate, SCHEMA_VERSION } from './migrations.ts'
import { StoreError } from './storeError.ts'
import { type Change, openTables, type TableReaders, type Tables } from './tables.ts'

const WRITES_BETWEEN_CHECKS = 256

const VERSION_KEY = 'version'
const BACKUP_KEY = 'backup'

/** Told of every commit, in the order of commits, before the one who wrote hears of it. */
export type ChangeListener = (changes: readonly Change[]) => void

/** The records of a board. Reads are synchronous and see the last commit; every write is one transaction. */
export class Store {
  private readonly listeners: ChangeListener[] = []
  private changes: Change[] = []
  private writes = 0

  private constructor(
    readonly folder: string,
    private readonly databases: Databases,
    private readonly lock: Lock | undefined,
  ) {
    this.tables = openTables(databases, change => {
      // an import has many, and nobody who follows
      if (this.listeners.length > 0) this.changes.push(change)
    })
  }

  private readonly tables: Tables

  /**
   * Opens the data directory, and makes it if it is not there.
   * @param beside true for a command that works beside a running server: it takes no lock and makes nothing
   * @throws StoreError if it is in use, damaged, of a newer version, or not there where it must be
   */
  static async open(folder: string, { shared = false } = {}): Promise<Store> {
    if (shared) requireStore(folder)
    else makeFolder(folder)
    const lock = shared ? undefined : takeLock(join(folder, LOCK_FILE), folder)
    try {
      const databases = await openDatabases(folder)
      try {
        const store = new Store(folder, databases, lock)
        await store.migrate()
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
   * Runs `change` as one transaction, and resolves with what it returned once that is on disk. If it throws, nothing is
   * changed. It must be synchronous: what awaits inside a transaction takes other requests' writes down with it.
   * @param room how much it may store, in bytes, where that is more than a few records
   * @throws Problem 'full' if the disk has not enough space left
   */
  async write<T>(
    change: (tables: Tables) => T extends PromiseLike<unknown> ? never : T,
    room = 0,
  ): Promise<T> {
    this.requireSpace(room)
    this.checkReaders()
    let changes: Change[] = []
    const result = await this.commit(() => {
      this.changes = []
      const value = change(this.tables)
      changes = this.changes
      return value
    })
    for (const follow of this.listeners) follow(changes)
    return result
  }

  /**
   * Copies the records, as one commit left them, into a data file in a folder that has none; others go on writing. The
   * copy need not be on disk yet.
   * @returns whether pages that are free were left out, without which LMDB copies only a file that has lost no page
   */
  async copyTo(folder: string): Promise<boolean> {
    const { env } = this.databases
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

  /** What is wrong with the records, their references, indexes and counters. */
  findIntegrityErrors(): IntegrityError[] {
    return findIntegrityErrors(this.databases, this.tables)
  }

  /** Mends what can be mended, in one transaction. */
  async repair(errors: readonly IntegrityError[]): Promise<void> {
    await this.write(() => {
      for (const { repair } of errors) repair?.()
    })
  }

  /** In bytes, the room for what was removed included. */
  get size(): number {
    return statSync(join(this.folder, DATA_FILE)).size
  }

  /** When the newest backup was taken, in milliseconds since 1970; undefined if there was none. */
  get lastBackupAt(): number | undefined {
    return this.databases.meta.get(BACKUP_KEY)
  }

  async recordBackup(takenAt: number): Promise<void> {
    this.requireSpace()
    await this.commit(() => void this.databases.meta.put(BACKUP_KEY, takenAt))
  }

  /** Has `follower` told of every commit from now on. */
  subscribe(follower: ChangeListener): void {
    this.listeners.push(follower)
  }

  /** Whether there is room to write. */
  get hasSpace(): boolean {
    return this.hasSpaceFor(0)
  }

  async close(): Promise<void> {
    await this.databases.env.close()
    this.lock?.release()
  }

  private async commit<T>(callback: () => T): Promise<T> {
    try {
      return await this.databases.env.childTransaction(callback)
    } catch (error) {
      const cause = await causeOf(error)
      throw isOutOfSpace(cause) ? outOfSpace() : cause
    }
  }

  /** A command that was killed beside this process would keep every page from being used again. */
  private checkReaders() {
    this.writes++
    if (this.writes % WRITES_BETWEEN_CHECKS === 0) this.databases.env.readerCheck()
  }

  private requireSpace(room = 0) {
    if (!this.hasSpaceFor(room)) throw outOfSpace()
  }

  private hasSpaceFor(room: number): boolean {
    return freeSpace(this.folder) >= MIN_FREE_SPACE + room
  }

  private async migrate(): Promise<void> {
    const version = this.databases.meta.get(VERSION_KEY)
    if (version === SCHEMA_VERSION) return
    if (version !== undefined && version > SCHEMA_VERSION)
      throw new StoreError(
        `${this.folder} was written by a newer Corkboard (version ${version} of the store; this one knows ${SCHEMA_VERSION}). Use that one.`,
      )
    this.requireSpace()
    // a server of the older version must not have the rows changed under it
    const lock = this.lock ? undefined : takeLock(join(this.folder, LOCK_FILE), this.folder)
    try {
      await this.commit(() => {
        if (version !== undefined) migrate(this.tables, version)
        void this.databases.meta.put(VERSION_KEY, SCHEMA_VERSION)
      })
    } finally {
      lock?.release()
    }
  }
}
