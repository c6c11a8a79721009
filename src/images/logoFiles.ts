import { promises as fs } from 'node:fs'
import { dirname, join } from 'node:path'
import { SECOND } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { isOutOfSpace } from '../store/diskSpace.ts'
import { syncFolder, writeDurably } from '../store/durable.ts'
import { type Lock, tryLockFolder } from '../store/lock.ts'
import { StoreError } from '../store/storeError.ts'
import type { EncodedLogo } from './logoEncoder.ts'

/** The name of the logos' folder in a data directory. */
export const LOGO_FOLDER = 'logos'
const PRIVATE_FOLDER = 0o700
const HASH_DIGITS = 16
const TEMPORARY = '.tmp'
/** In milliseconds. */
const LOCK_TIMEOUT = 10 * SECOND
const LOCK_INTERVAL = 2
const REMOVAL_INTERVAL = SECOND
const REMOVAL_BATCH = 64

const NAME = /^[0-9a-f]{16}-[0-9a-f]{32}\.webp$/
/** All that this ever writes into the folder. */
const OWN_FILE = /^[0-9a-f]{16}-[0-9a-f]{32}\.webp(\.tmp)?$/

/**
 * The logos' folder. A file never changes, and no two records name the same one.
 *
 * A record and its file go together in this order, so that no crash leaves a record without its file:
 * 1. `write` the new file, and wait for it: then it is durable;
 * 2. commit the record that names it; if that is refused, `remove` the new file;
 * 3. after the commit, `remove` the file that the record named before.
 *
 * A crash in between leaves a file that no record names. `sweep` takes it at the next start.
 *
 * Who copies records and files together `keep`s the files first, in whatever process: then every file that a commit
 * from now on names stays.
 */
export class LogoFiles {
  /** What is to be removed as soon as nobody keeps the files. */
  private readonly toRemove = new Set<string>()
  private removal: Promise<void> | undefined
  private timer: Timer | undefined

  private constructor(private readonly folder: string) {}

  /** Makes the folder if it is not there. */
  static async open(folder: string): Promise<LogoFiles> {
    const made = await fs.mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
    if (made !== undefined) await syncFolder(dirname(made))
    return new LogoFiles(folder)
  }

  /**
   * Stores a logo under a new name, which nobody can guess, and resolves with that name once it is on disk. Leaves
   * nothing behind if it fails.
   * @throws Problem 'full' if the disk is
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

  /** A logo's bytes; undefined if there is none of this name, or if no logo could have it. */
  async read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (!NAME.test(name)) return undefined
    return fs.readFile(this.pathOf(name)).catch(unlessMissing)
  }

  pathOf(name: string): string {
    return join(this.folder, name)
  }

  /**
   * Takes a logo away, now or, while somebody keeps the files, later. One that is not there, or whose name no logo could
   * have, is no error.
   */
  async remove(name: string): Promise<void> {
    if (!NAME.test(name)) return
    this.toRemove.add(name)
    await this.removePending()
  }

  /**
   * Has no file removed until what this resolves with is released.
   * @throws StoreError if somebody is removing files all the time
   */
  async preventRemoval(): Promise<Lock> {
    for (let waited = 0; waited < LOCK_TIMEOUT; waited += LOCK_INTERVAL) {
      const lock = tryLockFolder(this.folder, 'shared')
      if (lock) return lock
      await Bun.sleep(LOCK_INTERVAL)
    }
    throw new StoreError(`${this.folder} is being tidied all the time.`)
  }

  /** The files that are there, in the order of their names, with their sizes in bytes. */
  async list(): Promise<{ name: string; size: number }[]> {
    const names = (await fs.readdir(this.folder)).filter(name => NAME.test(name)).sort()
    return await Promise.all(
      names.map(async name => ({ name, size: (await fs.stat(this.pathOf(name))).size })),
    )
  }

  /** Leaves what is still to be removed to the next start. */
  close(): void {
    clearTimeout(this.timer)
  }

  /**
   * Takes away what no record names, unfinished files included, and returns the names. Files that are none of ours stay.
   * Only for the start: it would take a file whose record is still to be committed. While somebody keeps the files none
   * is taken.
   * @param kept gives the names that records hold; not asked where there are no files
   */
  async removeOrphans(kept: () => readonly string[]): Promise<string[]> {
    const right = tryLockFolder(this.folder, 'exclusive')
    if (!right) return []
    try {
      return await this.removeAllExcept(kept)
    } finally {
      right.release()
    }
  }

  private async removeAllExcept(kept: () => readonly string[]): Promise<string[]> {
    const entries = await fs.readdir(this.folder, { withFileTypes: true })
    const lost = new Set(
      entries.filter(entry => entry.isFile() && OWN_FILE.test(entry.name)).map(({ name }) => name),
    )
    if (lost.size > 0) for (const name of kept()) lost.delete(name)
    for (const name of lost) await fs.unlink(this.pathOf(name)).catch(unlessMissing)
    return [...lost]
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

  /** False if somebody keeps the files. */
  private async removeBatch(): Promise<boolean> {
    const right = tryLockFolder(this.folder, 'exclusive')
    if (!right) {
      this.retryLater()
      return false
    }
    try {
      const some = [...this.toRemove].slice(0, REMOVAL_BATCH)
      for (const name of some) this.toRemove.delete(name)
      await Promise.all(some.map(name => fs.unlink(this.pathOf(name)).catch(unlessMissing)))
      return true
    } finally {
      right.release()
    }
  }

  private retryLater() {
    clearTimeout(this.timer)
    // what can't be removed then is swept at the next start
    this.timer = setTimeout(() => void this.removePending().catch(() => {}), REMOVAL_INTERVAL)
    this.timer.unref()
  }
}

const hashOf = (bytes: Uint8Array) =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS)

const newName = (bytes: Uint8Array) => `${hashOf(bytes)}-${crypto.randomUUID().replaceAll('-', '')}.webp`

export const isLogoName = (name: string) => NAME.test(name)

/** Whether a file holds what was stored under its name. */
export const isIntact = (name: string, bytes: Uint8Array) => NAME.test(name) && name.startsWith(hashOf(bytes))

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
