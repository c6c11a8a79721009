import { open, rename } from 'node:fs/promises'
import { InvertedIndex } from './invertedIndex.ts'
import { COLUMNS, type Columns, type Segment, withRemovedCount } from './segment.ts'
import { Vocabulary } from './vocabulary.ts'

/**
 * Raised whenever words are cut, stemmed or hashed in another way, or the file is laid out in another way: a file of
 * another version is not used.
 */
const VERSION = 1
const FORMAT = 'corkboard search index'
/** Numbers of eight bytes are read where they lie in the file. */
const ALIGNMENT = 8
const NEWLINE = 10
const HEXADECIMAL = 16
const DAMAGED = 'it is damaged'
/** Only the board's own account may read what is searched. */
const PRIVATE = 0o600

/** The first line of the file. What follows are its parts, each aligned, one after another. */
interface Header {
  readonly format: string
  readonly version: number
  /** Of all parts. */
  readonly checksum: string
  /** The lengths of the parts in bytes: the vocabulary, then the columns of each segment. */
  readonly lengths: readonly number[]
}

/** Writes an index to a file, in place of what was there. The index may change meanwhile: the file has it as it is now. */
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
 * @throws Error if it is damaged, or of another version
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
    header = JSON.parse(line) as Partial<Header> // what is not one is told by its format
  } catch {
    throw new Error(DAMAGED)
  }
  const { format, version, checksum, lengths } = header
  if (format !== FORMAT || checksum === undefined || !lengths) throw new Error(DAMAGED)
  if (version !== VERSION) throw new Error('it is of another version')
  return { format, version, checksum, lengths }
}

/** Segments whose columns lie where they are. */
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

/** Of several parts one after another; a part's is the seed of the next. */
const checksumOf = (parts: readonly Uint8Array<ArrayBuffer>[]) =>
  parts.reduce((seed, part) => Bun.hash.wyhash(part, seed), 0n).toString(HEXADECIMAL)
