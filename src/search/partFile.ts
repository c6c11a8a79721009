import { open, rename } from 'node:fs/promises'

/** In bytes, the alignment of the parts, because 8-byte numbers are read in place. */
const ALIGNMENT = 8
const NEWLINE = 10
const HEXADECIMAL = 16
const DAMAGED = 'it is damaged'
/** The file's mode: only the account of the server may read it. */
const PRIVATE = 0o600

/** The format of a file and its version. A file of another version is not used. */
export interface Format {
  readonly format: string
  readonly version: number
}

type Part = Uint8Array<ArrayBuffer>

/** The first line of a file. The parts follow one after another, each aligned. */
interface Header extends Format {
  /** The checksum of all parts. */
  readonly checksum: string
  /** The lengths of the parts in bytes. */
  readonly lengths: readonly number[]
}

/** A file that was read. */
export interface PartFile {
  readonly checksum: string
  readonly parts: readonly Part[]
}

/**
 * Writes a file of derived data, and replaces an older one once it is on disk.
 * @param parts may change as soon as this returns a promise: they are checked and read before
 * @returns the checksum of the parts, which identifies the file's content
 */
export async function writeParts(path: string, format: Format, parts: readonly Part[]): Promise<string> {
  const checksum = checksumOf(parts)
  const header: Header = { ...format, checksum, lengths: parts.map(({ length }) => length) }
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
  return checksum
}

/**
 * Reads a file that `writeParts` wrote.
 * @returns undefined if there is no file
 * @throws Error if the file is damaged, or has another format or version
 */
export async function readParts(path: string, format: Format): Promise<PartFile | undefined> {
  const file = Bun.file(path)
  if (!(await file.exists())) return undefined
  const bytes = new Uint8Array(await file.arrayBuffer())
  const end = bytes.indexOf(NEWLINE) + 1
  const { lengths, checksum } = headerOf(Buffer.from(bytes.subarray(0, end)).toString(), format)
  let next = end + gapAfter(end)
  const parts = lengths.map(length => {
    const start = next
    next += length + gapAfter(length)
    return bytes.subarray(start, start + length)
  })
  if (next !== bytes.length || checksumOf(parts) !== checksum) throw new Error(DAMAGED)
  return { checksum, parts }
}

function headerOf(line: string, wanted: Format): Header {
  let header: Partial<Header>
  try {
    // The format and the checksum show whether this is a header.
    header = JSON.parse(line) as Partial<Header>
  } catch {
    throw new Error(DAMAGED)
  }
  const { format, version, checksum, lengths } = header
  if (format !== wanted.format || checksum === undefined || !lengths) throw new Error(DAMAGED)
  if (version !== wanted.version) throw new Error('it is of another version')
  return { format, version, checksum, lengths }
}

const gapAfter = (length: number) => (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT

/** Returns the checksum of several parts. The checksum of one part is the seed of the next. */
const checksumOf = (parts: readonly Part[]) =>
  parts.reduce((seed, part) => Bun.hash.wyhash(part, seed), 0n).toString(HEXADECIMAL)
