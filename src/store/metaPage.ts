/**
 * The two meta pages of an LMDB data file, as lmdb-js 3 writes them (`mdb.c`: MDB_page, MDB_meta, MDB_db), read without
 * LMDB. They are written in turn; the one with the newest transaction counts. Positions are from the start of a page.
 */
const META = {
  magic: 24,
  version: 28,
  free: 48,
  main: 96,
  lastPage: 144,
  transaction: 152,
  length: 160,
} as const
/** The description of a tree, in a meta page or as the value of a named database. */
const TREE = {
  pad: 0,
  flags: 4,
  depth: 6,
  branches: 8,
  leaves: 16,
  overflows: 24,
  entries: 32,
  root: 40,
} as const
/** The size of the description of a tree, in bytes. */
export const TREE_LENGTH = 48
const PAGE_FLAGS = 18

const MAGIC = 0xbeefc0de
const FORMAT = 2
/** The number of meta pages at the start of the file. */
export const META_PAGES = 2
const PAGE_SIZES = [4096, 8192, 16384, 32768, 65536]
const IS_META = 8
/** The flags of the tree of free pages. */
const FREE_FLAGS = 8

/** The number of pages of each kind and of values in a tree. */
export interface TreeCounts {
  readonly branches: number
  readonly leaves: number
  readonly overflows: number
  readonly entries: number
}

/** The root of a tree and its counts. */
export interface Tree extends TreeCounts {
  readonly root: number
  readonly depth: number
  readonly flags: number
}

/** The location of a commit in the file. */
export interface Meta {
  readonly pageSize: number
  readonly lastPage: number
  readonly transaction: number
  /** The free pages. */
  readonly free: Tree
  /** The named databases. */
  readonly main: Tree
}

/** Reads bytes of the file, or fewer at its end, into a new buffer or the one that is given. */
export type ReadAt = (position: number, length: number, into?: Buffer) => Buffer

/** Reads the newest commit of a data file; undefined if LMDB couldn't open the file. */
export function readMeta(readAt: ReadAt): Meta | undefined {
  const metas: Meta[] = []
  let pageSize = 0
  for (let page = 0; page < META_PAGES; page++) {
    const meta = parseMeta(readAt(page * pageSize, META.length))
    if (!meta || (page > 0 && meta.pageSize !== pageSize)) return undefined
    pageSize = meta.pageSize
    metas.push(meta)
  }
  return metas.reduce((a, b) => (b.transaction > a.transaction ? b : a))
}

function parseMeta(page: Buffer): Meta | undefined {
  if (page.length < META.length || page.readUInt16LE(PAGE_FLAGS) !== IS_META) return undefined
  if (page.readUInt32LE(META.magic) !== MAGIC || page.readUInt32LE(META.version) !== FORMAT) return undefined
  const pageSize = page.readUInt32LE(META.free + TREE.pad)
  const free = readTree(page, META.free)
  const main = readTree(page, META.main)
  if (!PAGE_SIZES.includes(pageSize) || free.flags !== FREE_FLAGS || main.flags !== 0) return undefined
  const lastPage = readNumber(page, META.lastPage)
  return { pageSize, lastPage, transaction: readNumber(page, META.transaction), free, main }
}

/** Reads the description of a tree. */
export const readTree = (bytes: Buffer, position: number): Tree => ({
  flags: bytes.readUInt16LE(position + TREE.flags),
  depth: bytes.readUInt16LE(position + TREE.depth),
  branches: readNumber(bytes, position + TREE.branches),
  leaves: readNumber(bytes, position + TREE.leaves),
  overflows: readNumber(bytes, position + TREE.overflows),
  entries: readNumber(bytes, position + TREE.entries),
  root: readNumber(bytes, position + TREE.root),
})

/** Reads a 64-bit number. Numbers beyond 2^53 are not exact, but they are invalid anyway. */
export const readNumber = (bytes: Buffer, position: number) =>
  bytes.readUInt32LE(position) + bytes.readUInt32LE(position + 4) * 2 ** 32
