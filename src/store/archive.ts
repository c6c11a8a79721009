import { createReadStream, promises as fs } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { StoreError } from './storeError.ts'
import { BLOCK_SIZE, paddingOf, parseTarHeader, type TarHeader, tarHeader } from './tar.ts'

/** The last file of an archive: the checksums of all others, in the format of `sha256sum`. */
const CHECKSUMS_FILE = 'SHA256SUMS'
const MAX_CHECKSUMS_SIZE = 2 ** 28
const CHUNK_SIZE = 256 * 1024
/** An archive ends with two empty blocks. */
const END_SIZE = 2 * BLOCK_SIZE

/** A file in an archive. Its chunks must be read before the next file is requested. */
export interface ArchiveEntry extends TarHeader {
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Writes a tar archive with a checksum of every file. */
export class ArchiveWriter {
  private sums = ''
  private size = 0

  /**
   * @param time the time of the files, in seconds since 1970
   * @param pace its `after` is awaited after each chunk
   */
  constructor(
    private readonly file: FileHandle,
    private readonly time: number,
    private readonly pace: { after(bytes: number): Promise<void> },
  ) {}

  async add({ name, size, chunks }: ArchiveEntry): Promise<void> {
    await this.write(tarHeader({ name, size }, this.time))
    const hash = new Bun.CryptoHasher('sha256')
    let remaining = size
    for await (const chunk of chunks) {
      hash.update(chunk)
      remaining -= chunk.length
      await this.write(chunk)
      await this.pace.after(chunk.length)
    }
    if (remaining !== 0) throw new Error(`${name} changed its size during the backup`)
    await this.write(new Uint8Array(paddingOf(size)))
    this.sums += `${hash.digest('hex')}  ${name}\n`
  }

  /** Writes the checksums and the end, and returns the size of the archive in bytes. */
  async finish(): Promise<number> {
    await this.add({ name: CHECKSUMS_FILE, ...textEntry(this.sums) })
    await this.write(new Uint8Array(END_SIZE))
    return this.size
  }

  private async write(bytes: Uint8Array) {
    await this.file.writeFile(bytes)
    this.size += bytes.length
  }
}

/** Returns the size and the chunks of a text. */
export function textEntry(text: string): Omit<ArchiveEntry, 'name'> {
  const bytes = Buffer.from(text)
  return { size: bytes.length, chunks: once(bytes) }
}

/** Returns the size and the chunks of a file, which must not change. */
export async function fileEntry(path: string): Promise<Omit<ArchiveEntry, 'name'>> {
  const { size } = await fs.stat(path)
  return { size, chunks: chunksIn(path) }
}

/** Reads a file, which is opened only when its first chunk is requested. */
async function* chunksIn(path: string) {
  yield* createReadStream(path, { highWaterMark: CHUNK_SIZE })
}

async function* once(bytes: Buffer) {
  yield await Promise.resolve(bytes)
}

/**
 * Yields the files of an archive, in order, and verifies their checksums at the end. Padding and the end of the archive
 * are verified too.
 * @throws StoreError if the archive is damaged
 */
export async function* readArchive(file: FileHandle, path: string): AsyncGenerator<ArchiveEntry> {
  const damaged = (what: string) =>
    new StoreError(`${path} isn't a Corkboard backup, or it is damaged: ${what}.`)
  const { size: end } = await file.stat()
  let sums = ''
  for (let at = 0; ;) {
    const header = parseTarHeader(await readExactly(file, at, BLOCK_SIZE))
    if (!header) throw damaged(`no file starts at byte ${at}`)
    const { name, size } = header
    const next = at + BLOCK_SIZE + size + paddingOf(size)
    if (!(next + END_SIZE <= end)) throw damaged(`${name} is incomplete`)
    if (!isEmpty(await readExactly(file, next - paddingOf(size), paddingOf(size))))
      throw damaged(`unexpected data after ${name}`)
    if (name === CHECKSUMS_FILE) {
      const isSame =
        size < MAX_CHECKSUMS_SIZE && String(await readExactly(file, at + BLOCK_SIZE, size)) === sums
      if (!isSame) throw damaged("the checksums don't match")
      if (next + END_SIZE !== end || !isEmpty(await readExactly(file, next, END_SIZE)))
        throw damaged('unexpected data at the end')
      return
    }
    const hash = new Bun.CryptoHasher('sha256')
    yield { name, size, chunks: chunksOf(file, at + BLOCK_SIZE, size, hash) }
    sums += `${hash.digest('hex')}  ${name}\n`
    at = next
  }
}

const isEmpty = (bytes: Buffer) => bytes.every(byte => byte === 0)

async function* chunksOf(file: FileHandle, start: number, size: number, hash: Bun.CryptoHasher) {
  for (let done = 0; done < size; done += CHUNK_SIZE) {
    const chunk = await readExactly(file, start + done, Math.min(CHUNK_SIZE, size - done))
    hash.update(chunk)
    yield chunk
  }
}

/** Reads this number of bytes, or fewer at the end of the file. */
async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  return bytes.subarray(0, bytesRead)
}
