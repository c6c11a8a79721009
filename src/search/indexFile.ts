import { InvertedIndex } from './invertedIndex.ts'
import { readParts, writeParts } from './partFile.ts'
import { COLUMNS, type Columns, type Segment, withRemovedCount } from './segment.ts'
import { Vocabulary } from './vocabulary.ts'

/**
 * The version must be raised whenever words are split, stemmed or hashed differently, or the format changes: a file of
 * another version is not used. The parts are the vocabulary, then the columns of each segment.
 */
const FORMAT = { format: 'corkboard search index', version: 3 }

/** An index that was read from a file, and the checksum of the file's content. */
interface ReadIndex {
  readonly index: InvertedIndex
  readonly checksum: string
}

/**
 * Writes the present state of an index to a file, and replaces an older one. The index may change during that.
 * @returns the checksum of the file's content
 */
export function writeIndex(path: string, index: InvertedIndex): Promise<string> {
  const columns = index.snapshot().flatMap(segment => COLUMNS.map(([name]) => bytesOf(segment[name])))
  return writeParts(path, FORMAT, [new TextEncoder().encode(index.vocabulary.toText()), ...columns])
}

/**
 * Reads an index from a file.
 * @returns undefined if there is no file
 * @throws Error if the file is damaged, or has another version
 */
export async function readIndex(path: string): Promise<ReadIndex | undefined> {
  const file = await readParts(path, FORMAT)
  if (!file) return undefined
  const [vocabulary = new Uint8Array(), ...columns] = file.parts
  const terms = Vocabulary.fromText(Buffer.from(vocabulary).toString())
  return { index: new InvertedIndex(terms, segmentsOf(columns)), checksum: file.checksum }
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
