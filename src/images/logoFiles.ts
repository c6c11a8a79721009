import { promises as fs } from 'node:fs'
import { dirname, join } from 'node:path'
import { SECOND } from '../base/clock.ts'
import { unlessMissing } from '../base/error.ts'
import { Problem } from '../base/problem.ts'
import { isOutOfSpace } from '../store/diskSpace.ts'
import { syncFolder, writeDurably } from '../store/durable.ts'
import { LOGO_FOLDER, PRIVATE_FOLDER } from '../store/folder.ts'
import { type Lock, tryLockFolder } from '../store/lock.ts'
import { StoreError } from '../store/storeError.ts'
import type { EncodedLogo } from './logoEncoder.ts'

const HASH_DIGITS = 16
const TEMPORARY = '.tmp'
/** How long `preventRemoval` tries to get the lock, and at which interval, in milliseconds. */
const LOCK_TIMEOUT = 10 * SECOND
const LOCK_INTERVAL = 2
const REMOVAL_INTERVAL = SECOND
const REMOVAL_BATCH = 64

const NAME = /^[0-9a-f]{16}-[0-9a-f]{32}\.webp$/
/** Matches every file that this class writes into the folder, also unfinished ones. */
const OWN_FILE = /^[0-9a-f]{16}-[0-9a-f]{32}\.webp(\.tmp)?$/

/**
 * The folder of logos. A file never changes, and no two records name the same one.
 *
 * Changes happen in this order, so that no crash leaves a record without its file:
 * 1. `write` the new file, and wait until it is on disk;
 * 2. commit the record that names it; if that is refused, `remove` the new file;
 * 3. after the commit, `remove` the file that the record named before.
 *
 * A crash in between leaves a file that no record names. `removeOrphans` deletes it at the next start.
 *
 * Code that copies records and files together, in any process, calls `preventRemoval` first. From then on, the files of
 * all records stay.
 */
export class LogoFiles {
  /** The names of the files to remove once removal isn't prevented. */
  private readonly toRemove = new Set<string>()
  private removal: Promise<void> | undefined
  private timer: Timer | undefined

  private constructor(private readonly folder: string) {}

  /** Opens the logos of a data directory. Creates their folder if it doesn't exist. */
  static async open(data: string): Promise<LogoFiles> {
    const folder = join(data, LOGO_FOLDER)
    const created = await fs.mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
    if (created !== undefined) await syncFolder(dirname(created))
    return new LogoFiles(folder)
  }

  /**
   * Stores a logo under a new name that can't be guessed, and resolves with the name once the file is on disk. Leaves
   * nothing behind if it fails.
   * @throws Problem 'full' if the disk is full
   */
  async write({ bytes }: EncodedLogo): Promise<string> {
    const name = newName(bytes)
    const path = this.pathOf(name)
    try {
      await writeDurably(path + TEMPORARY, file => file.writeFile(bytes))
      await fs.rename(path + TEMPORARY, path)
      await syncFolder(this.folder)
      return name
    } catch (error) {
      await Promise.allSettled([fs.unlink(path + TEMPORARY), fs.unlink(path)])
      throw isOutOfSpace(error) ? new Problem('full', 'The disk is full: the logo was not stored.') : error
    }
  }

  /** Returns the bytes of a logo; undefined if no logo has or could have this name. */
  async read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (!NAME.test(name)) return undefined
    return fs.readFile(this.pathOf(name)).catch(unlessMissing)
  }

  pathOf(name: string): string {
    return join(this.folder, name)
  }

  /**
   * Removes a logo, or marks it for removal while that is prevented. A missing file or an impossible name isn't an
   * error.
   */
  async remove(name: string): Promise<void> {
    if (!NAME.test(name)) return
    this.toRemove.add(name)
    await this.removePending()
  }

  /**
   * Prevents the removal of files until the lock is released.
   * @throws StoreError if other processes are removing files all the time
   */
  async preventRemoval(): Promise<Lock> {
    for (let waited = 0; waited < LOCK_TIMEOUT; waited += LOCK_INTERVAL) {
      const lock = tryLockFolder(this.folder, 'shared')
      if (lock) return lock
      await Bun.sleep(LOCK_INTERVAL)
    }
    throw new StoreError(`${this.folder} is busy: another process keeps removing files from it.`)
  }

  /** Lists the logos by name, with their sizes in bytes. */
  async list(): Promise<{ name: string; size: number }[]> {
    const names = (await fs.readdir(this.folder)).filter(name => NAME.test(name)).sort()
    return await Promise.all(
      names.map(async name => ({ name, size: (await fs.stat(this.pathOf(name))).size })),
    )
  }

  /** Stops removing files. The next start removes the others. */
  close(): void {
    clearTimeout(this.timer)
  }

  /**
   * Removes the files that no record names, including unfinished ones, and returns their names. Files of other origin
   * stay. Call this only at the start: it would remove a file whose record is not committed yet. Does nothing while
   * removal is prevented.
   * @param namesInUse returns the names in records; called only if there are files
   */
  async removeOrphans(namesInUse: () => readonly string[]): Promise<string[]> {
    const lock = tryLockFolder(this.folder, 'exclusive')
    if (!lock) return []
    try {
      return await this.removeAllExcept(namesInUse)
    } finally {
      lock.release()
    }
  }

  private async removeAllExcept(namesInUse: () => readonly string[]): Promise<string[]> {
    const entries = await fs.readdir(this.folder, { withFileTypes: true })
    const orphans = new Set(
      entries.filter(entry => entry.isFile() && OWN_FILE.test(entry.name)).map(({ name }) => name),
    )
    if (orphans.size > 0) for (const name of namesInUse()) orphans.delete(name)
    for (const name of orphans) await fs.unlink(this.pathOf(name)).catch(unlessMissing)
    return [...orphans]
  }

  private removePending(): Promise<void> {
    this.removal ??= this.removeAllPending()
    return this.removal
  }

  private async removeAllPending() {
    try {
      while (this.toRemove.size > 0 && (await this.removeBatch()));
    } finally {
      this.removal = undefined
    }
  }

  /** Removes some of the files. Returns false if removal is prevented. */
  private async removeBatch(): Promise<boolean> {
    const lock = tryLockFolder(this.folder, 'exclusive')
    if (!lock) {
      this.retryLater()
      return false
    }
    try {
      const names = [...this.toRemove].slice(0, REMOVAL_BATCH)
      for (const name of names) this.toRemove.delete(name)
      await Promise.all(names.map(name => fs.unlink(this.pathOf(name)).catch(unlessMissing)))
      return true
    } finally {
      lock.release()
    }
  }

  private retryLater() {
    clearTimeout(this.timer)
    // Files that can't be removed then are orphans at the next start.
    this.timer = setTimeout(() => void this.removePending().catch(() => {}), REMOVAL_INTERVAL)
    this.timer.unref()
  }
}

const hashOf = (bytes: Uint8Array) =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS)

const newName = (bytes: Uint8Array) => `${hashOf(bytes)}-${crypto.randomUUID().replaceAll('-', '')}.webp`

export const isLogoName = (name: string) => NAME.test(name)

/** Returns whether the bytes of a file are those that were stored under its name. */
export const isIntact = (name: string, bytes: Uint8Array) => NAME.test(name) && name.startsWith(hashOf(bytes))
