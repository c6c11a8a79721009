import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasonOf, StoreError } from './storeError.ts'

let dataFolder: string | undefined
const FALLBACK_FOLDERS = ['/var/tmp', '/dev/shm']

/** The folder from which the last addon was loaded. */
let loadedFrom: string | undefined

/** Names the data directory, which is used if the folder for temporary files is of no use. */
export function addFallbackFolder(folder: string): void {
  dataFolder = folder
}

/** The folders for temporary files, in the order in which they are to be tried. */
export const temporaryFolders = (): readonly string[] => [
  ...new Set([tmpdir(), ...(dataFolder === undefined ? [] : [dataFolder]), ...FALLBACK_FOLDERS]),
]

/** A folder from which programs can be loaded, as far as this process knows. */
export const addonFolder = (): string => loadedFrom ?? tmpdir()

/**
 * Loads a native addon that is embedded in the executable. The system loads programs only from a file, so it is written
 * into a folder for temporary files. That may be missing, full, read-only or mounted `noexec`: then the next is tried.
 * Bun's own way of unpacking knows a single folder, chosen when the process starts.
 * @param embedded the path of the addon inside the executable
 * @throws StoreError if there is no folder from which it can be loaded
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
    // what is loaded stays loaded without its file
    rmSync(own, { recursive: true, force: true })
  }
}
