import {
  type Meta,
  META_PAGES,
  type ReadAt,
  readNumber,
  readTree,
  type Tree,
  TREE_LENGTH,
  type TreeCounts,
} from './metaPage.ts'

/** Positions from the start of a page, and of a node in it (`mdb.c`: MDB_page, MDB_node, MDB_ovpage). */
export const PAGE = { number: 0, flags: 18, lower: 20, upper: 22, pages: 20, length: 24 } as const
export const NODE = { low: 0, high: 2, flags: 4, keySize: 6, length: 8 } as const
/** The value of a node that is stored in overflow pages. */
export const OVERFLOW = { number: 0, pages: 16, length: 24 } as const

/** The flags of pages and of nodes. */
export const PAGE_FLAG = { branch: 1, leaf: 2, overflow: 4 } as const
export const NODE_FLAG = { big: 1, tree: 2 } as const
/** Flags of trees whose values are trees, which this program doesn't use. */
const DUPLICATES = 0x74
const MAX_DEPTH = 32
/** The root of an empty tree. */
const EMPTY_ROOT = 2 ** 64
const NUMBER = 8

/** The content of a tree: free pages, the named databases, or the rows of one of these. */
type TreeKind = 'free' | 'main' | 'named'

type Counts = { -readonly [K in keyof TreeCounts]: number }

/** A page that LMDB can't read safely. */
class DamagedPage extends Error {}

/**
 * Visits every page of a commit without LMDB, which doesn't check page numbers and crashes the process if one is wrong.
 */
export class PageWalk {
  private readonly claimed: Uint8Array
  private readonly free: number[] = []
  /** The header of the overflow pages that were read last. There can be several for each job. */
  private readonly head = Buffer.alloc(PAGE.length)

  /** @param size the size of the file in bytes, after its meta pages were read */
  constructor(
    private readonly meta: Meta,
    private readonly readAt: ReadAt,
    private readonly size: number,
  ) {
    this.claimed = new Uint8Array(meta.lastPage + 1)
  }

  /** Returns the first damaged page; undefined if there is none. */
  run(): string | undefined {
    try {
      this.walk(this.meta.free, 'free')
      this.walk(this.meta.main, 'main')
      const both = this.free.find(page => this.claimed[page] === 1)
      return both === undefined ? undefined : `page ${both}`
    } catch (error) {
      if (error instanceof DamagedPage) return error.message
      throw error
    }
  }

  private walk(tree: Tree, kind: TreeKind) {
    const { root, depth, flags } = tree
    const counts: Counts = { branches: 0, leaves: 0, overflows: 0, entries: 0 }
    if (root !== EMPTY_ROOT) {
      if (depth < 1 || depth > MAX_DEPTH || (flags & DUPLICATES) !== 0) throw damagedAt(root)
      this.visit(root, depth, kind, counts)
    }
    if (
      (['branches', 'leaves', 'overflows', 'entries'] as const).some(count => counts[count] !== tree[count])
    )
      throw damagedAt(root)
  }

  private visit(number: number, level: number, kind: TreeKind, counts: Counts) {
    const page = this.claim(number, 1, this.meta.pageSize)
    const isLeaf = level === 1
    if (page.readUInt16LE(PAGE.flags) !== (isLeaf ? PAGE_FLAG.leaf : PAGE_FLAG.branch))
      throw damagedAt(number)
    counts[isLeaf ? 'leaves' : 'branches']++
    for (const at of nodesOf(page, number)) {
      if (isLeaf) this.visitValue(page, at, number, kind, counts)
      else this.visit(childOf(page, at), level - 1, kind, counts)
    }
  }

  private visitValue(page: Buffer, at: number, number: number, kind: TreeKind, counts: Counts) {
    counts.entries++
    const flags = page.readUInt16LE(at + NODE.flags)
    const size = sizeOf(page, at)
    const keySize = page.readUInt16LE(at + NODE.keySize)
    const value = at + NODE.length + keySize
    const isBig = flags === NODE_FLAG.big && kind !== 'main'
    if (value + (isBig ? OVERFLOW.length : size) > page.length) throw damagedAt(number)
    if (isBig) this.visitOverflow(page, value, size, counts)
    else if (flags !== (kind === 'main' ? NODE_FLAG.tree : 0)) throw damagedAt(number)
    else if (kind === 'main') this.visitDatabase(page, value, size, number)
    else if (kind === 'free') this.visitList(page.subarray(value, value + size), keySize, number)
  }

  /** Visits a named database; the main tree contains nothing else. */
  private visitDatabase(page: Buffer, value: number, size: number, number: number) {
    if (size !== TREE_LENGTH) throw damagedAt(number)
    this.walk(readTree(page, value), 'named')
  }

  /** Reads a list of free pages, which starts with their count. A negative number is the length of the run that follows. */
  private visitList(list: Buffer, keySize: number, number: number) {
    if (keySize !== NUMBER || list.length === 0 || list.length % NUMBER !== 0) throw damagedAt(number)
    const count = readNumber(list, 0)
    if (count > list.length / NUMBER - 1) throw damagedAt(number)
    for (let at = NUMBER; at <= count * NUMBER; at += NUMBER) {
      const page = Number(list.readBigInt64LE(at))
      if (page > this.meta.lastPage) throw damagedAt(number)
      if (page > 0) this.free.push(page)
    }
  }

  private visitOverflow(page: Buffer, value: number, size: number, counts: Counts) {
    const number = readNumber(page, value + OVERFLOW.number)
    const pages = readNumber(page, value + OVERFLOW.pages)
    if (PAGE.length + size > pages * this.meta.pageSize) throw damagedAt(number)
    const head = this.claim(number, pages, PAGE.length, this.head)
    if (head.readUInt16LE(PAGE.flags) !== PAGE_FLAG.overflow || head.readUInt32LE(PAGE.pages) !== pages)
      throw damagedAt(number)
    counts.overflows += pages
  }

  /** Marks some pages as used, and reads the first bytes of them. The rest is only required to be in the file. */
  private claim(number: number, pages: number, length: number, into?: Buffer): Buffer {
    const { pageSize, lastPage } = this.meta
    if (!(number >= META_PAGES && pages >= 1 && number + pages - 1 <= lastPage)) throw damagedAt(number)
    for (let each = number; each < number + pages; each++) {
      if (this.claimed[each] !== 0) throw damagedAt(each)
      this.claimed[each] = 1
    }
    const head = this.readAt(number * pageSize, length, into)
    if (head.length < length || readNumber(head, PAGE.number) !== number) throw damagedAt(number)
    if ((number + pages) * pageSize > this.size) throw damagedAt(number + pages - 1)
    return head
  }
}

const damagedAt = (number: number) => new DamagedPage(`page ${number}`)

/** Yields the positions of a page's nodes, whose headers and keys are inside the page. */
export function* nodesOf(page: Buffer, number: number): Generator<number> {
  const lower = page.readUInt16LE(PAGE.lower)
  const upper = page.readUInt16LE(PAGE.upper)
  if (lower % 2 !== 0 || lower < 2 || lower > upper || upper > page.length - PAGE.length)
    throw damagedAt(number)
  for (let index = 0; index < lower; index += 2) {
    const at = PAGE.length + page.readUInt16LE(PAGE.length + index)
    const isInside = at >= PAGE.length + upper && at + NODE.length <= page.length
    if (!isInside || at + NODE.length + page.readUInt16LE(at + NODE.keySize) > page.length)
      throw damagedAt(number)
    yield at
  }
}

/** Returns the size of a node's value in bytes. */
export const sizeOf = (page: Buffer, at: number) =>
  page.readUInt16LE(at + NODE.low) + page.readUInt16LE(at + NODE.high) * 2 ** 16

/** Returns the child page of a branch node. */
export const childOf = (page: Buffer, at: number) =>
  page.readUInt16LE(at + NODE.low) +
  page.readUInt16LE(at + NODE.high) * 2 ** 16 +
  page.readUInt16LE(at + NODE.flags) * 2 ** 32
