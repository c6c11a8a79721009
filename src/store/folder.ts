import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { StoreError, withFileErrors } from './storeError.ts'

/** The file of the records, as LMDB names it. */
export const DATA_FILE = 'data.mdb'
/** The folder of the logos. */
export const LOGO_FOLDER = 'logos'
/** The file that the process with the right to change the data directory locks. */
export const LOCK_FILE = 'lock'

/** The mode of folders that only their owner can use. */
export const PRIVATE_FOLDER = 0o700

/** Checks that a folder is a data directory. @throws StoreError if it isn't, or can't be read */
export function requireStore(folder: string): void {
  const names = existsSync(folder) ? withFileErrors(folder, () => readdirSync(folder)) : []
  if (!names.includes(DATA_FILE))
    throw new StoreError(`${folder} isn't a data directory: it has no ${DATA_FILE}.`)
}

/** Creates a private folder if necessary. @throws StoreError if that fails */
export function makeFolder(folder: string): void {
  withFileErrors(folder, () => {
    const created = mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
    if (created !== undefined) chmodSync(folder, PRIVATE_FOLDER)
  })
}
