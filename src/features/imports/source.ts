import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, write } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Problem } from '../../base/problem.ts'
import { unreadable } from '../../config/fileValues.ts'
import { temporaryFolders } from '../../store/nativeAddon.ts'
import type { Store } from '../../store/store.ts'
import { reasonOf } from '../../store/storeError.ts'
import { ImportError } from './importError.ts'

const CHUNK_SIZE = 256 * 1024
const writeAsync = promisify(write)
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** The files of an import. */
export interface ImportSource {
  readonly files: readonly SourceFile[]
  /** The service that they come from, such as `https://jobs.example.com`; undefined for a local file. */
  readonly origin: string | undefined
  /** Returns what messages call a row, by its number; undefined if they name its place in the file. */
  readonly placeOf?: (number: number) => string
}

/** An open file that can be read several times, even after it is renamed or deleted. */
export class SourceFile {
  private constructor(
    /** The name in messages. */
    readonly name: string,
    private readonly file: number,
    private holders = 1,
  ) {}

  /**
   * Opens a file. Copies it first if it can be read only once, such as a pipe.
   * @throws ImportError
   */
  static async open(path: string): Promise<SourceFile> {
    try {
      const source = new SourceFile(path, openSync(path, 'r'))
      if (fstatSync(source.file).isFile()) return source
      try {
        return await SourceFile.copy(path, source.chunks(null))
      } finally {
        source.close()
      }
    } catch (error) {
      if (error instanceof ImportError) throw error
      throw new ImportError(`${path} ${unreadable(error).sentence}.`)
    }
  }

  private static async copy(name: string, chunks: Iterable<Uint8Array>): Promise<SourceFile> {
    const spool = SourceFile.createSpool(name)
    for (const chunk of chunks) await spool.append(chunk)
    return spool
  }

  /**
   * Creates an empty temporary file without a name on disk, so that it disappears even if the process is killed.
   * @param places the folders to try
   */
  static createSpool(name: string, places = temporaryFolders()): SourceFile {
    const failures: string[] = []
    for (const place of places)
      try {
        return new SourceFile(name, openUnnamed(place))
      } catch (error) {
        failures.push(`${place} (${reasonOf(error)})`)
      }
    throw new ImportError(
      `Can't create a temporary file: ${failures.join(', ')}. Set TMPDIR to a writable folder.`,
    )
  }

  /** @throws ImportError if the disk is full */
  async append(chunk: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < chunk.length;)
        at += (await writeAsync(this.file, chunk, at, chunk.length - at, null)).bytesWritten
    } catch (error) {
      throw new ImportError(
        `${this.name} can't be copied into a temporary file: ${reasonOf(error)}. Set TMPDIR to a folder with more space.`,
      )
    }
  }

  /** The size in bytes. */
  get size(): number {
    return fstatSync(this.file).size
  }

  /**
   * Reads the content, without a byte order mark.
   * @param from the byte to start at; null continues at the current position, as a pipe requires
   */
  *chunks(from: number | null = 0): Generator<Uint8Array> {
    let at = from
    for (;;) {
      const buffer = Buffer.allocUnsafe(CHUNK_SIZE)
      const length = readSync(this.file, buffer, 0, CHUNK_SIZE, at)
      if (length === 0) return
      const chunk = buffer.subarray(0, length)
      yield at === 0 && hasByteOrderMark(chunk) ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk
      if (at !== null) at += length
    }
  }

  /** Keeps the file open until `close` is called once more. */
  hold(): void {
    this.holders++
  }

  close(): void {
    if (--this.holders === 0) closeSync(this.file)
  }
}

/**
 * Creates an empty temporary file, to store a file that a request sends. It is in the data directory, because other folders can
 * be too small.
 * @param name begins messages, such as `The file`
 * @throws Problem 'full'
 */
export function createRequestSpool({ folder }: Pick<Store, 'folder'>, name: string): SourceFile {
  try {
    return SourceFile.createSpool(name, [folder])
  } catch (error) {
    if (error instanceof ImportError) throw notStored(name)
    throw error
  }
}

/** Returns the problem that the data directory can't take a file that a request sends. */
export const notStored = (name: string) =>
  new Problem(
    'full',
    `${name} can't be stored in the data directory. Check its disk space and its permissions.`,
  )

/** Creates a file and removes its name at once. */
function openUnnamed(place: string): number {
  const folder = mkdtempSync(join(place, '.corkboard-'))
  try {
    return openSync(join(folder, 'spool'), 'wx+', 0o600)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const hasByteOrderMark = (chunk: Buffer) => chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
