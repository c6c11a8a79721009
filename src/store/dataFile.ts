import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { type ReadAt, readMeta } from './metaPage.ts'
import { PageWalk } from './pageWalk.ts'
import { StoreError, withFileErrors } from './storeError.ts'

const GIBIBYTE = 2 ** 30

/** The largest size of a store. It takes address space, not memory; LMDB keeps old maps when a map grows. */
export const MAP_SIZE = 64 * GIBIBYTE
/** The number of attempts to check a file that changes during the check. */
const MAX_ATTEMPTS = 3

/**
 * Checks every page of a data file before LMDB maps it. If the file is damaged or cut off, LMDB crashes the process with
 * a segmentation fault or a bus error.
 * @throws StoreError if the file is damaged
 */
export function inspectDataFile(path: string): void {
  const damage = withFileErrors(path, () => {
    if (!statSync(path).isFile()) return "isn't a file."
    const file = openSync(path, 'r')
    try {
      return findDamage(readerOf(file), () => fstatSync(file).size)
    } finally {
      closeSync(file)
    }
  })
  if (damage !== undefined) throw new StoreError(`${path} ${damage}`)
}

function findDamage(readAt: ReadAt, sizeNow: () => number): string | undefined {
  // LMDB initialises an empty file, which a crash before the first commit leaves
  if (readAt(0, 1).length === 0) return undefined
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const meta = readMeta(readAt)
    if (!meta || meta.lastPage * meta.pageSize >= MAP_SIZE)
      return "isn't a Corkboard store, or it is damaged. Restore a backup."
    const damage = new PageWalk(meta, readAt, sizeNow()).run()
    if (damage === undefined) return undefined
    if (readMeta(readAt)?.transaction === meta.transaction)
      return `is damaged or incomplete at ${damage}. Restore a backup.`
    // A running server has reused pages of this commit in the meantime.
  }
  return undefined
}

const readerOf =
  (file: number): ReadAt =>
  (position, length, into = Buffer.allocUnsafe(length)) => {
    const read = readSync(file, into, 0, length, position)
    return read === into.length ? into : into.subarray(0, read)
  }
