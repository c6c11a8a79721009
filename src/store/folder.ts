import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { StoreError, withFileErrors } from './storeError.ts'

/** The file of the records, as LMDB names it. */
export const DATA_FILE = 'data.mdb'
/** Locked by the process that may change the data directory. */
export const LOCK_FILE = 'lock'

/** The mode of folders that only their owner can use. */
export const PRIVATE_FOLDER = 0o700

/** @throws StoreError if the folder contains no store or can't be read */
export function requireStore(folder: string): void {
  const names = existsSync(folder) ? withFileErrors(folder, () => readdirSync(folder)) : []
  if (!names.includes(DATA_FILE))
    throw new StoreError(`${folder} isn't a data directory: it has no ${DATA_FILE}.`)
}

/** @throws StoreError if the folder can't be created */
export function makeFolder(folder: string): void {
  withFileErrors(folder, () => {
    const made = mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
    if (made !== undefined) chmodSync(folder, PRIVATE_FOLDER)
  })
}
