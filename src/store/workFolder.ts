import { existsSync, mkdirSync, promises as fs } from 'node:fs'
import { join } from 'node:path'
import { type Lock, tryLockFolder } from './lock.ts'

const NAME = /^\.corkboard-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/
const newName = () => `.corkboard-${crypto.randomUUID()}.tmp`
const PRIVATE_FOLDER = 0o700
const MAX_ATTEMPTS = 3

/**
 * Does work whose result gets its name only once it is whole. Until then it is in a hidden folder of its own, which is
 * on the same disk and goes when the work ends. Folders that killed processes left in the same place are removed first.
 * @param place the folder in which the hidden one is made
 */
export async function withWorkFolder<T>(place: string, work: (folder: string) => Promise<T>): Promise<T> {
  await removeStaleWorkFolders(place)
  const { folder, lock } = makeWorkFolder(place)
  try {
    return await work(folder)
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
    lock?.release()
  }
}

/**
 * Removes the work folders in a place whose processes have ended. The lock on such a folder tells: it ends with the
 * process, however that ends. Where there is none to be had, or anything else is wrong, the folder stays.
 * @param before is shown each folder before it goes
 */
export async function removeStaleWorkFolders(
  place: string,
  before: (folder: string) => Promise<void> = async () => {},
): Promise<void> {
  const entries = await fs.readdir(place, { withFileTypes: true }).catch(() => [])
  for (const entry of entries)
    if (entry.isDirectory() && NAME.test(entry.name))
      await removeIfStale(join(place, entry.name), before).catch(() => {})
}

async function removeIfStale(folder: string, before: (folder: string) => Promise<void>) {
  const lock = tryLockFolder(folder, 'exclusive')
  if (!lock) return
  try {
    await before(folder)
    await fs.rm(folder, { recursive: true, force: true })
  } finally {
    lock.release()
  }
}

interface WorkFolder {
  readonly folder: string
  readonly lock: Lock | undefined
}

function makeWorkFolder(place: string): WorkFolder {
  for (let tries = 1; ; tries++) {
    const folder = join(place, newName())
    mkdirSync(folder, { mode: PRIVATE_FOLDER })
    const lock = lockFolder(folder)
    // without a lock after some tries the file system has none, and nobody can take the folder for a dead one
    if (lock || tries >= MAX_ATTEMPTS) return { folder, lock }
  }
}

/** Undefined if another process took the folder for a dead one before it was locked. */
function lockFolder(folder: string): Lock | undefined {
  try {
    const lock = tryLockFolder(folder, 'shared')
    if (existsSync(folder)) return lock
    lock?.release()
  } catch {
    // it is gone
  }
  return undefined
}
