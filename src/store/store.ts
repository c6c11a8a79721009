import { chmodSync, existsSync, mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { Problem } from '../base/problem.ts'
import { StoreError } from './failure.ts'
import { inspectDataFile } from './file.ts'
import { type Lock, takeLock } from './lock.ts'
import { migrate, SCHEMA_VERSION } from './migrations.ts'
import type { Shelves } from './shelves.ts'
import { type Change, openTables, type TableReaders, type Tables } from './tables.ts'

const GIBIBYTE = 2 ** 30
const MEBIBYTE = 2 ** 20

/** How large the store may grow. It is address space, not memory; a map that grows later keeps the old ones mapped. */
const MAP_SIZE = 64 * GIBIBYTE
/** Below this a write is refused: LMDB, met by a full disk inside a commit, corrupts the process's heap. */
const SPACE_KEPT_FREE = 64 * MEBIBYTE
const MAX_DATABASES = 32
const PRIVATE_FOLDER = 0o700

const VERSION_KEY = 'version'

/** Told of every commit, in the order of commits, before the one who wrote hears of it. */
export type Follower = (changes: readonly Change[]) => void

/** The records of a board. Reads are synchronous and see the last commit; every write is one transaction. */
export class Store {
  private readonly followers: Follower[] = []
  private changes: Change[] = []

  private constructor(
    readonly folder: string,
    private readonly env: RootDatabase,
    private readonly meta: Database<number, string>,
    private readonly shelves: Shelves,
    private readonly lock: Lock | undefined,
  ) {
    this.tables = openTables(shelves, change => {
      // an import has many, and nobody who follows
      if (this.followers.length > 0) this.changes.push(change)
    })
  }

  private readonly tables: Tables

  /**
   * Opens the data directory, and makes it if it is not there.
   * @param beside true for a command that works beside a running server: it takes no lock and makes nothing
   * @throws StoreError if it is in use, damaged, of a newer version, or not there where it must be
   */
  static async open(folder: string, { beside = false } = {}): Promise<Store> {
    if (beside && !existsSync(join(folder, 'data.mdb')))
      throw new StoreError(`${folder} is not a data directory: it has no data.mdb.`)
    if (!beside) makeFolder(folder)
    const lock = beside ? undefined : takeLock(join(folder, 'lock'), folder)
    try {
      const store = this.openEnvironment(folder, lock)
      await store.bringUpToDate()
      return store
    } catch (error) {
      lock?.release()
      throw error
    }
  }

  private static openEnvironment(folder: string, lock: Lock | undefined): Store {
    const data = join(folder, 'data.mdb')
    if (existsSync(data)) inspectDataFile(data)
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
      const shelves: Shelves = {
        env,
        counters: env.openDB({ name: 'counters' }),
        references: env.openDB({ name: 'references' }),
        uniques: env.openDB({ name: 'uniques' }),
      }
      return new Store(folder, env, env.openDB({ name: 'meta' }), shelves, lock)
    } finally {
      process.umask(before)
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
    let changes: Change[] = []
    const result = await this.commit(() => {
      this.changes = []
      const value = change(this.tables)
      changes = this.changes
      return value
    })
    for (const follow of this.followers) follow(changes)
    return result
  }

  /** Has `follower` told of every commit from now on. */
  follow(follower: Follower): void {
    this.followers.push(follower)
  }

  /** Whether there is room to write. */
  get hasSpace(): boolean {
    return this.hasRoom(0)
  }

  async close(): Promise<void> {
    await this.env.close()
    this.lock?.release()
  }

  private async commit<T>(callback: () => T): Promise<T> {
    try {
      return await this.env.childTransaction(callback)
    } catch (error) {
      const cause = await causeOf(error)
      throw isOutOfSpace(cause) ? outOfSpace() : cause
    }
  }

  private requireSpace(room = 0) {
    if (!this.hasRoom(room)) throw outOfSpace()
  }

  private hasRoom(room: number): boolean {
    const { bavail, bsize } = statfsSync(this.folder)
    return bavail * bsize >= SPACE_KEPT_FREE + room
  }

  private async bringUpToDate(): Promise<void> {
    const version = this.meta.get(VERSION_KEY)
    if (version === SCHEMA_VERSION) return
    if (version !== undefined && version > SCHEMA_VERSION) {
      await this.env.close()
      throw new StoreError(
        `${this.folder} was written by a newer Corkboard (version ${version} of the store; this one knows ${SCHEMA_VERSION}). Use that one.`,
      )
    }
    this.requireSpace()
    await this.commit(() => {
      if (version !== undefined) migrate(this.shelves, version)
      void this.meta.put(VERSION_KEY, SCHEMA_VERSION)
    })
  }
}

function makeFolder(folder: string) {
  try {
    const made = mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
    if (made !== undefined) chmodSync(folder, PRIVATE_FOLDER)
  } catch (error) {
    throw new StoreError(`${folder} can't be made: ${reasonOf(error)}.`)
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const outOfSpace = () =>
  new Problem(
    'full',
    'The disk is full: nothing was stored. Reading goes on; free some space, then try again.',
  )

/** lmdb-js hides the cause of a failed commit in a promise of its own, which must be heard or it ends the process. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error
  try {
    await error.commitError
    return error
  } catch (cause) {
    return cause
  }
}

const isOutOfSpace = (error: unknown) =>
  error instanceof Error && /ENOSPC|No space left|MDB_MAP_FULL/i.test(error.message)
