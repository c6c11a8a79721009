import { open, rename } from 'node:fs/promises'
import { InvertedIndex } from './invertedIndex.ts'
import { COLUMNS, type Columns, type Segment, withRemovedCount } from './segment.ts'
import { Vocabulary } from './vocabulary.ts'

/**
 * The version of the tokenizer and the file format. It must be raised whenever words are split, stemmed or hashed
 * differently, or the format changes: a file of another version is not used.
 */
const VERSION = 2
const FORMAT = 'corkboard search index'
/** In bytes, the alignment of the parts, because 8-byte numbers are read in place. */
const ALIGNMENT = 8
const NEWLINE = 10
const HEXADECIMAL = 16
const DAMAGED = 'it is damaged'
/** The file's mode: only the account of the server may read it. */
const PRIVATE = 0o600

/** The first line of the file. The parts follow one after another, each aligned. */
interface Header {
  readonly format: string
  readonly version: number
  /** The checksum of all parts. */
  readonly checksum: string
  /** The lengths of the parts in bytes: the vocabulary, then the columns of each segment. */
  readonly lengths: readonly number[]
}

/** Writes the present state of an index to a file, and replaces an older one. The index may change during that. */
export async function writeIndex(path: string, index: InvertedIndex): Promise<void> {
  const columns = index.snapshot().flatMap(segment => COLUMNS.map(([name]) => bytesOf(segment[name])))
  const parts = [new TextEncoder().encode(index.vocabulary.toText()), ...columns]
  const checksum = checksumOf(parts)
  const header: Header = { format: FORMAT, version: VERSION, checksum, lengths: parts.map(lengthOf) }
  const line = Buffer.from(`${JSON.stringify(header)}\n`)
  const unfinished = `${path}.new`
  const file = await open(unfinished, 'w', PRIVATE)
  try {
    for (const bytes of [line, ...parts]) {
      await file.writeFile(bytes)
      await file.writeFile(new Uint8Array(gapAfter(bytes.length)))
    }
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
}

/**
 * Reads an index from a file.
 * @returns undefined if there is no file
 * @throws Error if the file is damaged, or has another version
 */
export async function readIndex(path: string): Promise<InvertedIndex | undefined> {
  const file = Bun.file(path)
  if (!(await file.exists())) return undefined
  const bytes = new Uint8Array(await file.arrayBuffer())
  const end = bytes.indexOf(NEWLINE) + 1
  const header = headerOf(Buffer.from(bytes.subarray(0, end)).toString())
  let next = end + gapAfter(end)
  const parts = header.lengths.map(length => {
    const start = next
    next += length + gapAfter(length)
    return bytes.subarray(start, start + length)
  })
  if (next !== bytes.length || checksumOf(parts) !== header.checksum) throw new Error(DAMAGED)
  const [vocabulary = new Uint8Array(), ...columns] = parts
  return new InvertedIndex(Vocabulary.fromText(Buffer.from(vocabulary).toString()), segmentsOf(columns))
}

function headerOf(line: string): Header {
  let header: Partial<Header>
  try {
    // The version and the checksum show whether this is a header.
    header = JSON.parse(line) as Partial<Header>
  } catch {
    throw new Error(DAMAGED)
  }
  const { format, version, checksum, lengths } = header
  if (format !== FORMAT || checksum === undefined || !lengths) throw new Error(DAMAGED)
  if (version !== VERSION) throw new Error('it is of another version')
  return { format, version, checksum, lengths }
}

/** Returns the segments, whose columns are views of the file's bytes. */
function segmentsOf(columns: readonly Uint8Array<ArrayBuffer>[]): Segment[] {
  const segments: Segment[] = []
  for (let at = 0; at < columns.length; at += COLUMNS.length) {
    const read = COLUMNS.map(([name, Type], n) => {
      const { buffer, byteOffset, length } = columns[at + n] ?? new Uint8Array()
      return [name, new Type(buffer, byteOffset, length / Type.BYTES_PER_ELEMENT)]
    })
    segments.push(withRemovedCount(Object.fromEntries(read) as Columns)) // COLUMNS are all there are
  }
  return segments
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Columns[keyof Columns]) =>
  new Uint8Array(buffer, byteOffset, byteLength)

const lengthOf = ({ length }: Uint8Array) => length

const gapAfter = (length: number) => (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT

/** Returns the checksum of several parts. The checksum of one part is the seed of the next. */
const checksumOf = (parts: readonly Uint8Array<ArrayBuffer>[]) =>
  parts.reduce((seed, part) => Bun.hash.wyhash(part, seed), 0n).toString(HEXADECIMAL)
