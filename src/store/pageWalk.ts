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

/** Positions from the head of a page, and of a node in it (`mdb.c`: MDB_page, MDB_node, MDB_ovpage). */
export const PAGE = { number: 0, flags: 18, lower: 20, upper: 22, pages: 20, length: 24 } as const
export const NODE = { low: 0, high: 2, flags: 4, keySize: 6, length: 8 } as const
/** What stands in a node for a value that has pages of its own. */
export const OVERFLOW = { number: 0, pages: 16, length: 24 } as const

export const IS = { branch: 1, leaf: 2, overflow: 4 } as const
export const NODE_IS = { big: 1, tree: 2 } as const
/** Flags of trees whose values are trees again, of which this program makes none. */
const DUPLICATES = 0x74
const DEEPEST = 32
/** The root of an empty tree. */
const NOWHERE = 2 ** 64
const NUMBER = 8

/** What a tree is for: the pages that are free, the names of databases, or the rows of one of these. */
type Role = 'free' | 'main' | 'named'

type Tally = { -readonly [K in keyof TreeCounts]: number }

/** Something in the pages that LMDB would stumble over. */
class DamagedPage extends Error {}

/**
 * Walks every page that a commit leads to, without LMDB, which follows whatever numbers it finds and ends the process
 * where they lead nowhere.
 */
export class PageWalk {
  private readonly used: Uint8Array
  private readonly free: number[] = []

  constructor(
    private readonly meta: Meta,
    private readonly readAt: ReadAt,
  ) {
    this.used = new Uint8Array(meta.lastPage + 1)
  }

  /** The first page that is not what it should be; undefined if all are. */
  run(): string | undefined {
    try {
      this.walk(this.meta.free, 'free')
      this.walk(this.meta.main, 'main')
      const both = this.free.find(page => this.used[page] === 1)
      return both === undefined ? undefined : `page ${both}`
    } catch (error) {
      if (error instanceof DamagedPage) return error.message
      throw error
    }
  }

  private walk(tree: Tree, role: Role) {
    const { root, depth, flags } = tree
    const tally: Tally = { branches: 0, leaves: 0, overflows: 0, entries: 0 }
    if (root !== NOWHERE) {
      if (depth < 1 || depth > DEEPEST || (flags & DUPLICATES) !== 0) throw damagedAt(root)
      this.visit(root, depth, role, tally)
    }
    if ((['branches', 'leaves', 'overflows', 'entries'] as const).some(count => tally[count] !== tree[count]))
      throw damagedAt(root)
  }

  private visit(number: number, level: number, role: Role, tally: Tally) {
    const page = this.take(number, 1)
    const isLeaf = level === 1
    if (page.readUInt16LE(PAGE.flags) !== (isLeaf ? IS.leaf : IS.branch)) throw damagedAt(number)
    tally[isLeaf ? 'leaves' : 'branches']++
    for (const at of nodesOf(page, number)) {
      if (isLeaf) this.visitValue(page, at, number, role, tally)
      else this.visit(childOf(page, at), level - 1, role, tally)
    }
  }

  private visitValue(page: Buffer, at: number, number: number, role: Role, tally: Tally) {
    tally.entries++
    const flags = page.readUInt16LE(at + NODE.flags)
    const size = sizeOf(page, at)
    const keySize = page.readUInt16LE(at + NODE.keySize)
    const value = at + NODE.length + keySize
    const isBig = flags === NODE_IS.big && role !== 'main'
    if (value + (isBig ? OVERFLOW.length : size) > page.length) throw damagedAt(number)
    if (isBig) this.visitOverflow(page, value, size, tally)
    else if (flags !== (role === 'main' ? NODE_IS.tree : 0)) throw damagedAt(number)
    else if (role === 'main') this.visitDatabase(page, value, size, number)
    else if (role === 'free') this.visitList(page.subarray(value, value + size), keySize, number)
  }

  /** The main tree holds nothing but named databases. */
  private visitDatabase(page: Buffer, value: number, size: number, number: number) {
    if (size !== TREE_LENGTH) throw damagedAt(number)
    this.walk(readTree(page, value), 'named')
  }

  /** A list of page numbers begins with how many they are; a negative one is the length of a run, which follows. */
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

  private visitOverflow(page: Buffer, value: number, size: number, tally: Tally) {
    const number = readNumber(page, value + OVERFLOW.number)
    const pages = readNumber(page, value + OVERFLOW.pages)
    if (PAGE.length + size > pages * this.meta.pageSize) throw damagedAt(number)
    const head = this.take(number, pages)
    if (head.readUInt16LE(PAGE.flags) !== IS.overflow || head.readUInt32LE(PAGE.pages) !== pages)
      throw damagedAt(number)
    tally.overflows += pages
  }

  /** Reads the first of some pages that nothing else may use. */
  private take(number: number, pages: number): Buffer {
    const { pageSize, lastPage } = this.meta
    if (!(number >= META_PAGES && pages >= 1 && number + pages - 1 <= lastPage)) throw damagedAt(number)
    for (let taken = number; taken < number + pages; taken++) {
      if (this.used[taken] !== 0) throw damagedAt(taken)
      this.used[taken] = 1
    }
    const page = this.readAt(number * pageSize, pageSize)
    if (page.length < pageSize || readNumber(page, PAGE.number) !== number) throw damagedAt(number)
    if (pages > 1 && this.readAt((number + pages) * pageSize - 1, 1).length < 1)
      throw damagedAt(number + pages - 1)
    return page
  }
}

const damagedAt = (number: number) => new DamagedPage(`page ${number}`)

/** The positions of a page's nodes, their heads and keys inside the page. */
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

/** The length of a node's value. */
export const sizeOf = (page: Buffer, at: number) =>
  page.readUInt16LE(at + NODE.low) + page.readUInt16LE(at + NODE.high) * 2 ** 16

/** The page that a node of a branch leads to. */
export const childOf = (page: Buffer, at: number) =>
  page.readUInt16LE(at + NODE.low) +
  page.readUInt16LE(at + NODE.high) * 2 ** 16 +
  page.readUInt16LE(at + NODE.flags) * 2 ** 32
