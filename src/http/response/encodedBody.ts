import { promisify } from 'node:util'
import { gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib'

export type Encoding = 'gzip' | 'zstd'
export type Body = Uint8Array | Blob

const JSON_TYPE = 'application/json'

/** In bytes. Compressing smaller bodies saves nothing. */
const MIN_COMPRESSED_SIZE = 1024
/** In bytes. Larger bodies are compressed in the background, and sent as blobs, which responses share without copying. */
const MAX_SMALL_SIZE = 16 * 1024
/** The cost of a body with its encodings, as a multiple of its size: together, the encodings are smaller than the body. */
const COST_WITH_ENCODINGS = 2

interface BodyOptions {
  readonly etag?: string | undefined
  /** The content type, with its charset. */
  readonly type: string
  readonly isCompressible: boolean
}

/** The bytes of a response body, with their ETag and type. Compressed encodings are created when they are requested. */
export class EncodedBody<B extends Body = Body> {
  /** Whether it is in a cache, to be sent again. */
  isCached = false
  readonly etag: string | undefined
  readonly type: string
  readonly isCompressible: boolean
  private readonly encodings = new Map<Encoding, Body | Promise<Body>>()
  private sharedBody: Body | undefined

  private constructor(
    readonly body: B,
    /** The uncompressed size, in bytes. */
    readonly size: number,
    { etag, type, isCompressible }: BodyOptions,
  ) {
    this.etag = etag
    this.type = type
    this.isCompressible = isCompressible && size > MIN_COMPRESSED_SIZE
  }

  static json(value: unknown): EncodedBody<Uint8Array> {
    const bytes = Buffer.from(JSON.stringify(value))
    return new EncodedBody<Uint8Array>(bytes, bytes.length, textOptions(bytes, JSON_TYPE))
  }

  /** @param bytes text in UTF-8 */
  static bytes(bytes: Uint8Array, type = JSON_TYPE): EncodedBody {
    return new EncodedBody(asShared(bytes), bytes.length, textOptions(bytes, type))
  }

  /** Returns a body that is probably sent only once, so that its bytes are shared only if it is sent again. */
  static once(bytes: Uint8Array): EncodedBody {
    return new EncodedBody<Body>(bytes, bytes.length, textOptions(bytes, JSON_TYPE))
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
    return new EncodedBody(asShared(bytes), bytes.length, { etag, type, isCompressible: false })
  }

  /** The memory that it uses, in bytes. */
  get cost(): number {
    return this.isCompressible ? this.size * COST_WITH_ENCODINGS : this.size
  }

  /** The body in a form that several responses can share. */
  get shared(): Body {
    return (this.sharedBody ??= this.body instanceof Uint8Array ? asShared(this.body) : this.body)
  }

  /** Returns the compressed body. A large one is compressed in the background. */
  compressed(encoding: Encoding): Body | Promise<Body> {
    const cached = this.encodings.get(encoding)
    if (cached) return cached
    const compressed =
      this.body instanceof Uint8Array && this.size <= MAX_SMALL_SIZE
        ? COMPRESS_NOW[encoding](this.body)
        : this.compressLater(encoding)
    this.encodings.set(encoding, compressed)
    return compressed
  }

  private async compressLater(encoding: Encoding): Promise<Body> {
    try {
      const bytes = this.body instanceof Uint8Array ? this.body : await this.body.bytes()
      const compressed = asShared(await COMPRESS[encoding](bytes))
      this.encodings.set(encoding, compressed)
      return compressed
    } catch (error) {
      // The next attempt may succeed.
      this.encodings.delete(encoding)
      throw error
    }
  }
}

/** The options of text, which is compressed. Its ETag is weak, because encodings with different bytes share it. */
const textOptions = (bytes: Uint8Array, type: string): BodyOptions => ({
  etag: `W/"${Bun.hash.wyhash(bytes).toString(36)}"`,
  type,
  isCompressible: true,
})

const COMPRESS = { gzip: promisify(gzip), zstd: promisify(zstdCompress) }
const COMPRESS_NOW = { gzip: gzipSync, zstd: zstdCompressSync }

const asShared = (bytes: Uint8Array): Body => (bytes.length > MAX_SMALL_SIZE ? new Blob([bytes]) : bytes)
