import { existsSync, mkdirSync, promises as fs } from 'node:fs'
import { join } from 'node:path'
import { PRIVATE_FOLDER } from './folder.ts'
import { type Lock, tryLockFolder } from './lock.ts'

const NAME = /^\.corkboard-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/
const newName = () => `.corkboard-${crypto.randomUUID()}.tmp`
const MAX_ATTEMPTS = 3

/**
 * Runs work in a hidden folder on the same disk, from which it can move the result once it is complete. The folder is
 * removed afterwards. Work folders of killed processes in the same parent are removed first.
 * @param parent the folder in which the hidden folder is created
 */
export async function withWorkFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  await removeStaleWorkFolders(parent)
  const { folder, lock } = makeWorkFolder(parent)
  try {
    return await work(folder)
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
    lock?.release()
  }
}

/**
 * Removes the work folders of processes that have ended, whose locks are free. A folder stays if locks don't work or if
 * anything else fails.
 * @param before is called before a folder is removed
 */
export async function removeStaleWorkFolders(
  parent: string,
  before: (folder: string) => Promise<void> = async () => {},
): Promise<void> {
  const entries = await fs.readdir(parent, { withFileTypes: true }).catch(() => [])
  for (const entry of entries)
    if (entry.isDirectory() && NAME.test(entry.name))
      await removeIfStale(join(parent, entry.name), before).catch(() => {})
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

function makeWorkFolder(parent: string): WorkFolder {
  for (let attempts = 1; ; attempts++) {
    const folder = join(parent, newName())
    mkdirSync(folder, { mode: PRIVATE_FOLDER })
    const lock = lockFolder(folder)
    // After several attempts, the file system doesn't support locks, so no process can remove the folder as stale.
    if (lock || attempts >= MAX_ATTEMPTS) return { folder, lock }
  }
}

/** Locks a new work folder. Returns undefined if another process has already removed it as stale. */
function lockFolder(folder: string): Lock | undefined {
  try {
    const lock = tryLockFolder(folder, 'shared')
    if (existsSync(folder)) return lock
    lock?.release()
  } catch {
    // The folder is gone.
  }
  return undefined
}
