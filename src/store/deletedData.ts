import { promises as fs } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { META_PAGES, readMeta, readNumber } from './metaPage.ts'
import { childOf, NODE, NODE_FLAG, nodesOf, OVERFLOW, PAGE, PAGE_FLAG, sizeOf } from './pageWalk.ts'

/** In bytes; a multiple of every page size. */
const CHUNK_SIZE = 256 * 1024

/**
 * Yields the bytes of a compacted copy of a data file, without the remains of changed or deleted records. LMDB leaves out
 * free pages, but copies three kinds of remains: bytes between the records of a page, bytes after a value in overflow pages,
 * and deleted keys in branch pages (e-mail addresses among them). The first two become zeros. A deleted key is replaced
 * by the first key of its subtree.
 */
export async function* withoutDeletedData(path: string): AsyncGenerator<Uint8Array> {
  const file = await fs.open(path, 'r')
  try {
    const head = await readChunk(file, 0)
    const pageSize = readMeta((at, length) => head.subarray(at, at + length))?.pageSize
    if (pageSize === undefined) throw new Error("the copy isn't a data file")
    const outline = await readOutline(file, pageSize)
    const pages = new Pages(pageSize)
    for await (const chunk of chunksOf(file)) {
      for (const page of pages.in(chunk)) clean(page, outline)
      yield chunk
    }
  } finally {
    await file.close()
  }
}

interface Page {
  readonly bytes: Buffer
  readonly number: number
  /** The first overflow page of the value that this page belongs to; undefined for a page with nodes. */
  readonly first: number | undefined
}

/** Reads the pages of a file in order: only the first overflow page of a value has a header. */
class Pages {
  private number = 0
  /** The last overflow value: its first page, and the page after its last. */
  private first = 0
  private behind = 0

  constructor(private readonly size: number) {}

  *in(chunk: Buffer): Generator<Page> {
    for (let at = 0; at < chunk.length; at += this.size, this.number++) {
      const { number } = this
      const bytes = chunk.subarray(at, at + this.size)
      if (number < META_PAGES) continue
      if (number >= this.behind && bytes.readUInt16LE(PAGE.flags) === PAGE_FLAG.overflow) {
        this.first = number
        this.behind = number + bytes.readUInt32LE(PAGE.pages)
      }
      yield { bytes, number, first: number < this.behind ? this.first : undefined }
    }
  }
}

/** The facts about a data file that are needed to clean a single page. */
interface Outline {
  /** The sizes of values in overflow pages, by their first page. */
  readonly valueSizes: Map<number, number>
  /** The first key of each leaf, as Latin-1, and the first child of each branch, by page. */
  readonly firsts: Map<number, string | number>
}

async function readOutline(file: FileHandle, pageSize: number): Promise<Outline> {
  const outline: Outline = { valueSizes: new Map(), firsts: new Map() }
  const pages = new Pages(pageSize)
  for await (const chunk of chunksOf(file))
    for (const page of pages.in(chunk)) if (page.first === undefined) addToOutline(page, outline)
  return outline
}

function addToOutline({ bytes, number }: Page, { valueSizes, firsts }: Outline) {
  const nodes = [...nodesOf(bytes, number)]
  const [first] = nodes
  if (first === undefined) return
  const isLeaf = bytes.readUInt16LE(PAGE.flags) === PAGE_FLAG.leaf
  firsts.set(number, isLeaf ? keyOf(bytes, first).toString('latin1') : childOf(bytes, first))
  if (!isLeaf) return
  for (const at of nodes) {
    if (bytes.readUInt16LE(at + NODE.flags) !== NODE_FLAG.big) continue
    const value = at + NODE.length + keyOf(bytes, at).length
    valueSizes.set(readNumber(bytes, value + OVERFLOW.number), sizeOf(bytes, at))
  }
}

const keyOf = (page: Buffer, at: number) =>
  page.subarray(at + NODE.length, at + NODE.length + page.readUInt16LE(at + NODE.keySize))

function clean({ bytes, number, first }: Page, { valueSizes, firsts }: Outline) {
  if (first !== undefined) {
    const end = (first - number) * bytes.length + PAGE.length + (valueSizes.get(first) ?? 0)
    if (end < bytes.length) bytes.fill(0, Math.max(0, end))
    return
  }
  bytes.fill(0, PAGE.length + bytes.readUInt16LE(PAGE.lower), PAGE.length + bytes.readUInt16LE(PAGE.upper))
  if (bytes.readUInt16LE(PAGE.flags) === PAGE_FLAG.branch)
    for (const at of nodesOf(bytes, number)) replaceKey(bytes, at, firsts)
}

/**
 * Replaces the key of a branch node by the first key of its subtree, cut to the length of the old key. It still sorts
 * after every key before it: the old key was long enough to distinguish them.
 */
function replaceKey(page: Buffer, at: number, firsts: Outline['firsts']) {
  let first: string | number | undefined = childOf(page, at)
  while (typeof first === 'number') first = firsts.get(first)
  if (first === undefined) throw new Error('the copy has a branch without a leaf')
  const length = keyOf(page, at).fill(0).write(first, 'latin1')
  page.writeUInt16LE(length, at + NODE.keySize)
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ; at += CHUNK_SIZE) {
    const chunk = await readChunk(file, at)
    if (chunk.length > 0) yield chunk
    if (chunk.length < CHUNK_SIZE) return
  }
}

/** Reads a chunk, which is shorter only at the end of the file. */
async function readChunk(file: FileHandle, position: number): Promise<Buffer> {
  const bytes = Buffer.alloc(CHUNK_SIZE)
  let length = 0
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, CHUNK_SIZE - length, position + length)
    length += bytesRead
    if (bytesRead === 0 || length === CHUNK_SIZE) return bytes.subarray(0, length)
  }
}
