import { promisify } from 'node:util'
import { gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib'

export type Encoding = 'gzip' | 'zstd'
export type Body = Uint8Array | Blob

const JSON_TYPE = 'application/json'

/** Bytes; smaller answers don't gain by it. */
const WORTH_COMPRESSING = 1024
/** Bytes; larger ones are compressed off the event loop. */
const QUICK = 32 * 1024
/** Bytes; a response copies an array of bytes, and shares a blob. */
const WORTH_SHARING = 256 * 1024
/** A body's compressed forms come later, and together are smaller than the body. */
const FORMS = 2

/** A body as it goes out, with its tag, and its compressed forms once somebody asked for them. */
export class Rendered<B extends Body = Body> {
  private readonly forms = new Map<Encoding, Body | Promise<Body>>()

  protected constructor(
    readonly body: B,
    /** In bytes, not compressed. */
    readonly size: number,
    /** Weak: the forms of one body differ in their bytes, and say the same. */
    readonly etag: string,
    readonly type: string,
  ) {}

  static json(value: unknown): Rendered<Uint8Array> {
    const bytes = Buffer.from(JSON.stringify(value))
    return new Rendered<Uint8Array>(bytes, bytes.length, tagOf(bytes), JSON_TYPE)
  }

  /** @param type the content type, with its charset */
  static text(text: string, type: string): Rendered {
    const bytes = Buffer.from(text)
    return new Rendered(shared(bytes), bytes.length, tagOf(bytes), type)
  }

  /** What it takes to keep, in bytes. */
  get cost(): number {
    return this.size * FORMS
  }

  get isWorthCompressing(): boolean {
    return this.size > WORTH_COMPRESSING
  }

  /** The body in one encoding; a large one comes later. */
  in(encoding: Encoding): Body | Promise<Body> {
    const known = this.forms.get(encoding)
    if (known) return known
    const form =
      this.body instanceof Uint8Array && this.size <= QUICK
        ? compress(encoding, this.body)
        : this.compressApart(encoding)
    this.forms.set(encoding, form)
    return form
  }

  private async compressApart(encoding: Encoding): Promise<Body> {
    const bytes = this.body instanceof Uint8Array ? this.body : await this.body.bytes()
    const compressed = (encoding === 'gzip' ? gzipApart : zstdApart)(bytes)
    // what failed may go well another time
    compressed.catch(() => this.forms.delete(encoding))
    const form = shared(await compressed)
    this.forms.set(encoding, form)
    return form
  }
}

/** A rendered list, or a page of one, with how many there are in all and where its other pages are. */
export class RenderedList extends Rendered {
  constructor(
    bytes: Uint8Array,
    readonly total: number,
    readonly link: string | undefined,
  ) {
    super(shared(bytes), bytes.length, tagOf(bytes), JSON_TYPE)
  }
}

const tagOf = (bytes: Uint8Array) => `W/"${Bun.hash.wyhash(bytes).toString(36)}"`

const gzipApart = promisify(gzip)
const zstdApart = promisify(zstdCompress)

const compress = (encoding: Encoding, bytes: Uint8Array) =>
  encoding === 'gzip' ? gzipSync(bytes) : zstdCompressSync(bytes)

const shared = (bytes: Uint8Array): Body => (bytes.length > WORTH_SHARING ? new Blob([bytes]) : bytes)
