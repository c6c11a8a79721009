import { promisify } from 'node:util'
import { gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib'
import type { Page } from './paging.ts'

export type Encoding = 'gzip' | 'zstd'
export type Body = Uint8Array | Blob

const JSON_TYPE = 'application/json'

/** Bytes; smaller answers don't gain by it. */
const WORTH_COMPRESSING = 1024
/** Bytes; larger ones are compressed off the event loop. */
const QUICK = 16 * 1024
/** Bytes; a response copies an array of bytes, and shares a blob. */
const WORTH_SHARING = QUICK
/** A body's compressed forms come later, and together are smaller than the body. */
const FORMS = 2

/** A body as it goes out, with its tag, and its compressed forms once somebody asked for them. */
export class EncodedBody<B extends Body = Body> {
  /** Whether it is kept, to be sent again. */
  isCached = false
  private readonly forms = new Map<Encoding, Body | Promise<Body>>()
  private sharedBody: Body | undefined

  protected constructor(
    readonly body: B,
    /** In bytes, not compressed. */
    readonly size: number,
    /** Weak: the forms of one body differ in their bytes, and say the same. */
    readonly etag: string | undefined,
    readonly type: string,
    private readonly isCompressible = true,
  ) {}

  static json(value: unknown): EncodedBody<Uint8Array> {
    const bytes = Buffer.from(JSON.stringify(value))
    return new EncodedBody<Uint8Array>(bytes, bytes.length, tagOf(bytes), JSON_TYPE)
  }

  /** @param type the content type, with its charset */
  static text(text: string, type: string): EncodedBody {
    const bytes = Buffer.from(text)
    return new EncodedBody(shared(bytes), bytes.length, tagOf(bytes), type)
  }

  /**
   * A picture, which is compressed as it is.
   * @param tag changes with it; without one, no client may compare it with another
   */
  static picture(bytes: Uint8Array, type: string, tag?: string): EncodedBody {
    const etag = tag === undefined ? undefined : `"${tag}"`
    return new EncodedBody(shared(bytes), bytes.length, etag, type, false)
  }

  /** What it takes to keep, in bytes. */
  get cost(): number {
    return this.isCompressible ? this.size * FORMS : this.size
  }

  /** The body as responses share it. */
  get asShared(): Body {
    return (this.sharedBody ??= this.body instanceof Uint8Array ? shared(this.body) : this.body)
  }

  get isWorthCompressing(): boolean {
    return this.isCompressible && this.size > WORTH_COMPRESSING
  }

  /** The body in one encoding; a large one comes later. */
  encodedAs(encoding: Encoding): Body | Promise<Body> {
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

/** A rendered list, or a page of one, with how many there are in all. */
export class RenderedList extends EncodedBody {
  /** The links to the other pages, and the query that they were made for last. */
  private links = { search: '', text: '' }

  constructor(
    bytes: Uint8Array,
    readonly total: number,
    /** Undefined for the whole list. */
    readonly page: Page | undefined,
  ) {
    super(shared(bytes), bytes.length, tagOf(bytes), JSON_TYPE)
  }

  /**
   * Returns the `Link` header of a page; undefined for the whole list.
   * @param search the query as it stands, which the links keep
   * @param make makes it anew for another query
   */
  linkFor(search: string, make: (page: Page) => string): string | undefined {
    if (!this.page) return undefined
    if (this.links.search !== search) this.links = { search, text: make(this.page) }
    return this.links.text
  }
}

const tagOf = (bytes: Uint8Array) => `W/"${Bun.hash.wyhash(bytes).toString(36)}"`

const gzipApart = promisify(gzip)
const zstdApart = promisify(zstdCompress)

const compress = (encoding: Encoding, bytes: Uint8Array) =>
  encoding === 'gzip' ? gzipSync(bytes) : zstdCompressSync(bytes)

const shared = (bytes: Uint8Array): Body => (bytes.length > WORTH_SHARING ? new Blob([bytes]) : bytes)
