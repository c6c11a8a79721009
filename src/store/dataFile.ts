import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { type ReadAt, readMeta } from './metaPage.ts'
import { PageWalk } from './pageWalk.ts'
import { StoreError, withFileErrors } from './storeError.ts'

const GIBIBYTE = 2 ** 30

/** How large the store may grow. It is address space, not memory; a map that grows later keeps the old ones mapped. */
export const MAP_SIZE = 64 * GIBIBYTE
/** How often a file is looked at again because it changed meanwhile. */
const MAX_ATTEMPTS = 3

/**
 * Looks at every page of a data file before LMDB maps it: LMDB ends the process with a segmentation fault or a bus error
 * where it meets garbage or an end that it did not expect.
 * @throws StoreError with a sentence that says what is wrong with it
 */
export function inspectDataFile(path: string): void {
  const fault = withFileErrors(path, () => {
    if (!statSync(path).isFile()) return 'is no file.'
    const file = openSync(path, 'r')
    try {
      return findDamage(readerOf(file))
    } finally {
      closeSync(file)
    }
  })
  if (fault !== undefined) throw new StoreError(`${path} ${fault}`)
}

function findDamage(readAt: ReadAt): string | undefined {
  // an empty file is one that LMDB would begin anew; with a crash before its first commit it is what is left
  if (readAt(0, 1).length === 0) return undefined
  for (let look = 0; look < MAX_ATTEMPTS; look++) {
    const meta = readMeta(readAt)
    if (!meta || meta.lastPage * meta.pageSize >= MAP_SIZE)
      return 'is not a Corkboard store, or it is damaged. Restore a backup.'
    const torn = new PageWalk(meta, readAt).run()
    if (torn === undefined) return undefined
    if (readMeta(readAt)?.transaction === meta.transaction)
      return `is damaged or cut off at ${torn}. Restore a backup.`
    // a server writes meanwhile, and uses pages again that this commit has left; it looked at them when it started
  }
  return undefined
}

const readerOf =
  (file: number): ReadAt =>
  (position, length) => {
    const bytes = Buffer.allocUnsafe(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, position))
  }
