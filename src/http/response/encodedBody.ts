import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib'
import { Semaphore } from '../../base/semaphore.ts'
import { countGarbage } from '../../base/youngGarbage.ts'

export type Encoding = 'gzip' | 'zstd'
export type Body = Uint8Array | Blob

const JSON_TYPE = 'application/json'

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')

/** In bytes. Compressing smaller bodies saves nothing. */
const MIN_COMPRESSED_SIZE = 1024
/** In bytes. Larger bodies are compressed in the background, and sent as blobs, which responses share without copying. */
const MAX_SMALL_SIZE = 16 * 1024
/** The number of bodies that may wait for their compression. */
const MAX_WAITING = 1000
/** The cost of a body with its encodings, as a multiple of its size: together, the encodings are smaller than the body. */
const COST_WITH_ENCODINGS = 2

interface BodyOptions {
  readonly etag?: string | undefined
  /** The content type, with its charset. */
  readonly type: string
  readonly isCompressible: boolean
}

/** The bytes of a response body, with their ETag and type. Compressed encodings are created when they are requested. */
export class EncodedBody {
  /** Whether it is in a cache, to be sent again. */
  isCached = false
  readonly etag: string | undefined
  readonly type: string
  readonly isCompressible: boolean
  /** The uncompressed size, in bytes. */
  readonly size: number
  private readonly encodings = new Map<Encoding, Body | Promise<Body>>()

  /** @param content the body in one or more pieces */
  private constructor(
    private content: readonly Body[],
    { etag, type, isCompressible }: BodyOptions,
  ) {
    this.etag = etag
    this.type = type
    this.size = sizeOf(content)
    this.isCompressible = isCompressible && this.size > MIN_COMPRESSED_SIZE
  }

  static json(value: unknown): EncodedBody {
    const bytes = Buffer.from(JSON.stringify(value))
    return new EncodedBody([bytes], textOptions(bytes, JSON_TYPE))
  }

  /** Returns a JSON array of values that are encoded already. Their bytes are not copied until it is sent. */
  static jsonArray(values: readonly EncodedBody[]): EncodedBody {
    const content = [
      OPEN,
      ...values.flatMap(({ pieces }, at) => (at === 0 ? pieces : [COMMA, ...pieces])),
      CLOSE,
    ]
    const etags = Buffer.from(values.map(({ etag }) => etag).join())
    return new EncodedBody(content, textOptions(etags, JSON_TYPE))
  }

  /** @param bytes text in UTF-8 */
  static bytes(bytes: Uint8Array, type: string): EncodedBody {
    return new EncodedBody([asShared(bytes)], textOptions(bytes, type))
  }

  /** @param type the content type, with its charset */
  static text(text: string, type: string): EncodedBody {
    return EncodedBody.bytes(Buffer.from(text), type)
  }

  /**
   * Returns the body of a file that is already compressed, such as an image.
   * @param tag the text of its ETag, if it has one
   */
  static file(bytes: Uint8Array, type: string, tag?: string): EncodedBody {
    const etag = tag === undefined ? undefined : `"${tag}"`
    return new EncodedBody([asShared(bytes)], { etag, type, isCompressible: false })
  }

  /** The memory that it uses, in bytes. */
  get cost(): number {
    return this.isCompressible ? this.size * COST_WITH_ENCODINGS : this.size
  }

  /** The body, in as many pieces as it was made from. */
  get pieces(): readonly Body[] {
    return this.content
  }

  /** The body in a form that several responses can share. */
  get shared(): Body {
    const [first] = this.content
    if (this.content.length === 1 && first && isShareable(first)) return first
    const shared = this.size > MAX_SMALL_SIZE ? new Blob([...this.content]) : this.join()
    this.content = [shared]
    return shared
  }

  /** Returns the compressed body if it exists, or is so small that it is compressed at once. */
  compressedNow(encoding: Encoding): Body | undefined {
    const known = this.encodings.get(encoding)
    if (known) return known instanceof Promise ? undefined : known
    if (this.size > MAX_SMALL_SIZE) return undefined
    const compressed = COMPRESS_NOW[encoding](this.join())
    this.encodings.set(encoding, compressed)
    return compressed
  }

  /** Returns the compressed body. If it doesn't exist, it is compressed in the background. @throws Problem 'busy' */
  async compressed(encoding: Encoding): Promise<Body> {
    const compressed = this.encodings.get(encoding) ?? this.compress(encoding)
    this.encodings.set(encoding, compressed)
    return await compressed
  }

  private async compress(encoding: Encoding): Promise<Body> {
    try {
      const compressed = await turns.run(async () => {
        const bytes = areBytes(this.content) ? this.join() : await new Blob([...this.content]).bytes()
        return asShared(await COMPRESS[encoding](bytes))
      })
      this.encodings.set(encoding, compressed)
      return compressed
    } catch (error) {
      // The next attempt may succeed.
      this.encodings.delete(encoding)
      throw error
    }
  }

  /** Returns the bytes of a body without blobs. A small one never has any. */
  private join(): Uint8Array {
    const pieces = this.content.filter(piece => piece instanceof Uint8Array)
    const [first] = pieces
    if (pieces.length === 1 && first) return first
    countGarbage(this.size)
    return Buffer.concat(pieces)
  }
}

/**
 * Returns the options of text, which is compressed. Its ETag is weak, because encodings with different bytes share it.
 * @param hashed the text itself, or the ETags of its parts, which change whenever the text does
 */
const textOptions = (hashed: Uint8Array, type: string): BodyOptions => ({
  etag: `W/"${Bun.hash.wyhash(hashed).toString(36)}"`,
  type,
  isCompressible: true,
})

/** More compressions at a time than there are processors would gain nothing, and each takes a megabyte. */
const turns = new Semaphore(
  availableParallelism(),
  MAX_WAITING,
  'Too many large responses are being compressed. Please try again.',
)
const COMPRESS = { gzip: promisify(gzip), zstd: promisify(zstdCompress) }
const COMPRESS_NOW = { gzip: gzipSync, zstd: zstdCompressSync }

/** Returns the size of a body's pieces, in bytes. */
export const sizeOf = (pieces: readonly Body[]) =>
  pieces.reduce((sum, piece) => sum + (piece instanceof Blob ? piece.size : piece.length), 0)

/** Whether none of a body's pieces is a blob, whose bytes have to be awaited. */
export const areBytes = (pieces: readonly Body[]): pieces is readonly Uint8Array[] =>
  pieces.every(piece => piece instanceof Uint8Array)

/** Whether several responses can share a body without copying much. */
const isShareable = (body: Body) => body instanceof Blob || body.length <= MAX_SMALL_SIZE

const asShared = (bytes: Uint8Array): Body => (isShareable(bytes) ? bytes : new Blob([bytes]))
