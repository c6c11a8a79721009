import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasonOf, StoreError } from './storeError.ts'

let dataFolder: string | undefined
const FALLBACK_FOLDERS = ['/var/tmp', '/dev/shm']

/** The folder from which the last addon was loaded. */
let loadedFrom: string | undefined

/** Adds the data directory to the folders for temporary files. */
export function addFallbackFolder(folder: string): void {
  dataFolder = folder
}

/** Returns the folders for temporary files, in the order to try them. */
export const temporaryFolders = (): readonly string[] => [
  ...new Set([tmpdir(), ...(dataFolder === undefined ? [] : [dataFolder]), ...FALLBACK_FOLDERS]),
]

/** Returns the folder of the last addon, or the first one to try. Native code can probably be loaded from it. */
export const addonFolder = (): string => loadedFrom ?? tmpdir()

/**
 * Loads a native addon that is embedded in the executable. The system loads it only from a file, so it is written to a
 * folder for temporary files. If that folder is missing, full, read-only or mounted `noexec`, the next one is tried: Bun
 * itself tries only one.
 * @param embedded the path of the addon inside the executable
 * @throws StoreError if it can't be loaded from any folder
 */
export function loadAddon(embedded: string): unknown {
  const bytes = readFileSync(embedded)
  const failures: string[] = []
  for (const folder of temporaryFolders()) {
    try {
      const addon = loadFrom(folder, bytes)
      loadedFrom = folder
      return addon
    } catch (error) {
      failures.push(`${folder} (${reasonOf(error)})`)
    }
  }
  throw new StoreError(
    `Corkboard can't load its native code from any of these folders: ${failures.join(', ')}. Set TMPDIR to a folder that exists, has 20 MB of free space and is not mounted noexec.`,
  )
}

function loadFrom(folder: string, bytes: Uint8Array): unknown {
  const own = mkdtempSync(join(folder, '.corkboard-'))
  try {
    const path = join(own, 'addon.node')
    writeFileSync(path, bytes)
    const module = { exports: {} as unknown }
    process.dlopen(module, path)
    return module.exports
  } finally {
    // A loaded addon doesn't need its file.
    rmSync(own, { recursive: true, force: true })
  }
}
