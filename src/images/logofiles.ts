import { promises as fs } from 'node:fs'
import { dirname, join } from 'node:path'
import { Problem } from '../base/problem.ts'
import type { EncodedLogo } from './logo.ts'

const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600
const HASH_DIGITS = 16
const UNFINISHED = '.tmp'

const NAME = /^[0-9a-f]{16}-[0-9a-f]{32}\.webp$/
/** All that this ever writes into the folder. */
const OURS = /^[0-9a-f]{16}-[0-9a-f]{32}\.webp(\.tmp)?$/

/**
 * The logos' folder. A file never changes, and no two records name the same one.
 *
 * A record and its file go together in this order, so that no crash leaves a record without its file:
 * 1. `write` the new file, and wait for it: then it is durable;
 * 2. commit the record that names it; if that is refused, `remove` the new file;
 * 3. after the commit, `remove` the file that the record named before.
 *
 * A crash in between leaves a file that no record names. `sweep` takes it at the next start.
 */
export class LogoFiles {
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
    const path = join(this.folder, name)
    try {
      await writeDurably(path + UNFINISHED, bytes)
      await fs.rename(path + UNFINISHED, path)
      await syncFolder(this.folder)
      return name
    } catch (error) {
      await Promise.allSettled([fs.unlink(path + UNFINISHED), fs.unlink(path)])
      throw isOutOfSpace(error) ? new Problem('full', 'The disk is full: the logo was not stored.') : error
    }
  }

  /** A logo's bytes; undefined if there is none of this name, or if no logo could have it. */
  async read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (!NAME.test(name)) return undefined
    return fs.readFile(join(this.folder, name)).catch(unlessMissing)
  }

  /** Takes a logo away. One that is not there, or whose name no logo could have, is no error. */
  async remove(name: string): Promise<void> {
    if (NAME.test(name)) await fs.unlink(join(this.folder, name)).catch(unlessMissing)
  }

  /**
   * Takes away what no record names, unfinished files included, and returns the names. Files that are none of ours stay.
   * Only for the start: it would take a file whose record is still to be committed.
   * @param kept the names that records hold
   */
  async sweep(kept: ReadonlySet<string>): Promise<string[]> {
    const entries = await fs.readdir(this.folder, { withFileTypes: true })
    const lost = entries.filter(entry => entry.isFile() && OURS.test(entry.name) && !kept.has(entry.name))
    for (const { name } of lost) await fs.unlink(join(this.folder, name)).catch(unlessMissing)
    return lost.map(({ name }) => name)
  }
}

function newName(bytes: Uint8Array): string {
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS)
  return `${hash}-${crypto.randomUUID().replaceAll('-', '')}.webp`
}

async function writeDurably(path: string, bytes: Uint8Array) {
  const file = await fs.open(path, 'wx', PRIVATE_FILE)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes durable which names a folder holds. */
async function syncFolder(folder: string) {
  const handle = await fs.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const hasCode = (error: unknown, codes: readonly string[]) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)

const isOutOfSpace = (error: unknown) => hasCode(error, ['ENOSPC', 'EDQUOT'])

function unlessMissing(error: unknown): undefined {
  if (!hasCode(error, ['ENOENT'])) throw error
}
