import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { StoreError, withFileErrors } from './storeError.ts'

/** The names that LMDB gives them. */
export const DATA_FILE = 'data.mdb'
export const LMDB_LOCK_FILE = 'lock.mdb'
/** Held by the process that may change the data directory. */
export const LOCK_FILE = 'lock'

const PRIVATE_FOLDER = 0o700

/** @throws StoreError if the folder holds no store, or may not be looked into */
export function requireStore(folder: string): void {
  const names = existsSync(folder) ? withFileErrors(folder, () => readdirSync(folder)) : []
  if (!names.includes(DATA_FILE))
    throw new StoreError(`${folder} is not a data directory: it has no ${DATA_FILE}.`)
}

/** @throws StoreError if it can't be made */
export function makeFolder(folder: string): void {
  withFileErrors(folder, () => {
    const made = mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
    if (made !== undefined) chmodSync(folder, PRIVATE_FOLDER)
  })
}
