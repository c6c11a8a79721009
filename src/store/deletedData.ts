import { promises as fs } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { META_PAGES, readMeta, readNumber } from './metaPage.ts'
import { childOf, NODE, NODE_FLAG, nodesOf, OVERFLOW, PAGE, PAGE_FLAG, sizeOf } from './pageWalk.ts'

/** In bytes; whole pages of every size that there is. */
const CHUNK_SIZE = 256 * 1024

/**
 * The bytes of a compacted copy of a data file, without what is left in it of records that were changed or deleted. LMDB
 * leaves out the pages that are free, but it copies three more things: a few bytes from between the records of a page;
 * what follows a value that has pages of its own; and, in the pages that lead to others, keys that are gone since (those
 * of e-mail addresses among them). The first two become zeros; such a key becomes the first that it leads to.
 */
export async function* withoutDeletedData(path: string): AsyncGenerator<Uint8Array> {
  const file = await fs.open(path, 'r')
  try {
    const head = await readChunk(file, 0)
    const pageSize = readMeta((at, length) => head.subarray(at, at + length))?.pageSize
    if (pageSize === undefined) throw new Error('the copy of the records is no data file')
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
  /** The first page of the long value that this page is a part of; undefined for a page that holds nodes. */
  readonly first: number | undefined
}

/** Takes the pages of a file in their order, since the further pages of a long value have no head of their own. */
class Pages {
  private number = 0
  /** The long value that was met last: its first page, and the first page behind it. */
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

/** What a page alone does not tell. */
interface Outline {
  /** How long the values are that have pages of their own, by their first page. */
  readonly valueSizes: Map<number, number>
  /** The first keys of leaves, as Latin-1, and the first children of branches, by page. */
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
 * Puts the first key of the page that a node leads to in place of the node's own, cut to its length. It still lies behind
 * every key before: to tell these apart the old key had to be as long as the part by which the new one differs.
 */
function replaceKey(page: Buffer, at: number, firsts: Outline['firsts']) {
  let first: string | number | undefined = childOf(page, at)
  while (typeof first === 'number') first = firsts.get(first)
  if (first === undefined) throw new Error('the copy of the records has a page that leads nowhere')
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

/** Fewer bytes than a chunk has only at the end of the file. */
async function readChunk(file: FileHandle, position: number): Promise<Buffer> {
  const bytes = Buffer.alloc(CHUNK_SIZE)
  let length = 0
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, CHUNK_SIZE - length, position + length)
    length += bytesRead
    if (bytesRead === 0 || length === CHUNK_SIZE) return bytes.subarray(0, length)
  }
}
