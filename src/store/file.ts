import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { StoreError } from './failure.ts'

/**
 * The head of an LMDB data file as lmdb-js 3 writes it (`mdb.c`, MDB_page and MDB_meta): two meta pages, each with a
 * page header of 24 bytes, then magic, format version, and further on the last page that the file must hold.
 */
const META = { magic: 24, version: 28, pageSize: 48, lastPage: 144, transaction: 152, length: 160 } as const
const MAGIC = 0xbeefc0de
const FORMAT = 2
const META_PAGES = 2
const PAGE_SIZES = [4096, 8192, 16384, 32768, 65536]

/**
 * Looks at the head and the length of a data file before LMDB maps it: LMDB ends the process with a segmentation fault
 * or a bus error where it meets garbage or an end it did not expect.
 * @throws StoreError with a sentence that says what is wrong with it
 */
export function inspectDataFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    // an empty file is one that LMDB would begin anew; with a crash before its first commit it is what is left
    if (size === 0) return
    const metas = readMetas(file)
    if (metas.length === 0) throw new StoreError(`${path} is not a Corkboard store, or it is damaged.`)
    const newest = metas.reduce((a, b) => (b.transaction > a.transaction ? b : a))
    const expected = (newest.lastPage + 1) * newest.pageSize
    if (size < expected)
      throw new StoreError(
        `${path} is cut off: it has ${size} bytes of at least ${expected}. Restore a backup.`,
      )
  } finally {
    closeSync(file)
  }
}

function readMetas(file: number) {
  const head = Buffer.alloc(META.length)
  const readAt = (position: number) => readSync(file, head, 0, META.length, position) === META.length
  const metas: { pageSize: number; lastPage: number; transaction: number }[] = []
  let pageSize = 0
  for (let page = 0; page < META_PAGES; page++) {
    if (!readAt(page * pageSize)) break
    if (head.readUInt32LE(META.magic) !== MAGIC || head.readUInt32LE(META.version) !== FORMAT) break
    pageSize = head.readUInt32LE(META.pageSize)
    if (!PAGE_SIZES.includes(pageSize)) break
    const lastPage = Number(head.readBigUInt64LE(META.lastPage))
    metas.push({ pageSize, lastPage, transaction: Number(head.readBigUInt64LE(META.transaction)) })
  }
  return metas.length === META_PAGES ? metas : []
}
