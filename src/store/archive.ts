import { createReadStream, promises as fs } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { StoreError } from './storeError.ts'
import { BLOCK_SIZE, paddingOf, parseTarHeader, type TarHeader, tarHeader } from './tar.ts'

/** The last file of an archive, in the form of `sha256sum`: what all the others must be. */
const CHECKSUMS_FILE = 'SHA256SUMS'
const MAX_CHECKSUMS_SIZE = 2 ** 28
const CHUNK_SIZE = 256 * 1024
/** Two empty blocks end an archive. */
const END_SIZE = 2 * BLOCK_SIZE

/** A file in an archive. When it is read from one, its chunks have to be taken before the next file is asked for. */
export interface ArchiveEntry extends TarHeader {
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Writes a tar archive with a checksum for every file, from the start of `file`. */
export class ArchiveWriter {
  private sums = ''
  private size = 0

  /**
   * @param time of the files, in seconds since 1970
   * @param pace is told how much was written, and waited for
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
    if (remaining !== 0) throw new Error(`${name} changed its size while it was archived`)
    await this.write(new Uint8Array(paddingOf(size)))
    this.sums += `${hash.digest('hex')}  ${name}\n`
  }

  /** Writes the checksums and the end, and resolves with the size of it all, in bytes. */
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

/** The part of an entry that a text fills. */
export function textEntry(text: string): Omit<ArchiveEntry, 'name'> {
  const bytes = Buffer.from(text)
  return { size: bytes.length, chunks: once(bytes) }
}

/** The part of an entry that a file fills, which must not change. */
export async function fileEntry(path: string): Promise<Omit<ArchiveEntry, 'name'>> {
  const { size } = await fs.stat(path)
  return { size, chunks: createReadStream(path, { highWaterMark: CHUNK_SIZE }) }
}

async function* once(bytes: Buffer) {
  yield await Promise.resolve(bytes)
}

/**
 * The files of an archive, in order, without the checksums. Once all were taken they were compared with these.
 * @throws StoreError if the archive is not whole
 */
export async function* readArchive(file: FileHandle, path: string): AsyncGenerator<ArchiveEntry> {
  const damaged = (what: string) =>
    new StoreError(`${path} is no Corkboard backup, or it is damaged: ${what}.`)
  const { size: end } = await file.stat()
  let sums = ''
  for (let at = 0; ;) {
    const header = parseTarHeader(await readExactly(file, at, BLOCK_SIZE))
    if (!header) throw damaged(`there is no file at byte ${at}`)
    const { name, size } = header
    const next = at + BLOCK_SIZE + size + paddingOf(size)
    if (!(next + END_SIZE <= end)) throw damaged(`${name} is cut off`)
    if (!isEmpty(await readExactly(file, next - paddingOf(size), paddingOf(size))))
      throw damaged(`something follows ${name}`)
    if (name === CHECKSUMS_FILE) {
      const isSame =
        size < MAX_CHECKSUMS_SIZE && String(await readExactly(file, at + BLOCK_SIZE, size)) === sums
      if (!isSame) throw damaged('its files are not those of its checksums')
      if (next + END_SIZE !== end || !isEmpty(await readExactly(file, next, END_SIZE)))
        throw damaged('something follows its end')
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

/** Fewer bytes than asked for only at the end of the file. */
async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  return bytes.subarray(0, bytesRead)
}
