import { promisify } from 'node:util'
import { gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib'

export type Encoding = 'gzip' | 'zstd'

const gzipApart = promisify(gzip)
const zstdApart = promisify(zstdCompress)

/** Bytes; smaller answers don't gain by it. */
const WORTH_COMPRESSING = 1024
/** Bytes; larger ones are compressed off the event loop. */
const QUICK = 32 * 1024

/** A body as it goes out, with its tag, and its compressed forms once somebody asked for them. */
export class Rendered {
  /** Weak: the forms of one body differ in their bytes, and say the same. */
  readonly etag: string
  private readonly forms = new Map<Encoding, Uint8Array | Promise<Uint8Array>>()

  constructor(readonly bytes: Uint8Array) {
    this.etag = `W/"${Bun.hash.wyhash(bytes).toString(36)}"`
  }

  static json(value: unknown): Rendered {
    return new Rendered(Buffer.from(JSON.stringify(value)))
  }

  get isWorthCompressing(): boolean {
    return this.bytes.length > WORTH_COMPRESSING
  }

  /** The bytes in one encoding; large ones come later. */
  in(encoding: Encoding): Uint8Array | Promise<Uint8Array> {
    const known = this.forms.get(encoding)
    if (known) return known
    const form = this.bytes.length <= QUICK ? compress(encoding, this.bytes) : this.compressApart(encoding)
    this.forms.set(encoding, form)
    return form
  }

  private async compressApart(encoding: Encoding): Promise<Uint8Array> {
    const form = await (encoding === 'gzip' ? gzipApart : zstdApart)(this.bytes)
    this.forms.set(encoding, form)
    return form
  }
}

/** A rendered list, or a page of one, with how many there are in all. */
export class RenderedList extends Rendered {
  constructor(
    bytes: Uint8Array,
    readonly total: number,
  ) {
    super(bytes)
  }
}

const compress = (encoding: Encoding, bytes: Uint8Array) =>
  encoding === 'gzip' ? gzipSync(bytes) : zstdCompressSync(bytes)
