/** Chunks of bytes, in order. */
export type Chunks = AsyncIterable<Uint8Array>

/** A part of a sequence of bytes. */
interface Piece {
  /** Its number, from 0. */
  readonly index: number
  readonly bytes: Buffer
  readonly isLast: boolean
}

/** Reads bytes in pieces of other sizes than they come in. */
export class ByteReader {
  private readonly chunks: AsyncIterator<Uint8Array>
  private buffered: Uint8Array[] = []
  private size = 0

  constructor(chunks: Chunks) {
    this.chunks = chunks[Symbol.asyncIterator]()
  }

  /** Returns this number of bytes, or fewer at the end. */
  async take(size: number): Promise<Buffer> {
    while (this.size < size) {
      const { value, done } = await this.chunks.next()
      if (done === true) break
      this.buffered.push(value)
      this.size += value.length
    }
    const all = Buffer.concat(this.buffered)
    const taken = all.subarray(0, size)
    const rest = all.subarray(size)
    this.buffered = rest.length > 0 ? [rest] : []
    this.size = rest.length
    return taken
  }

  /** Yields all remaining bytes in pieces of this size. There is at least one, which may be empty. */
  async *pieces(size: number): AsyncGenerator<Piece> {
    let bytes = await this.take(size)
    for (let index = 0; ; index++) {
      const next = await this.take(size)
      yield { index, bytes, isLast: next.length === 0 }
      if (next.length === 0) return
      bytes = next
    }
  }

  /** Ends the reading early. */
  async close(): Promise<void> {
    await this.chunks.return?.()
  }
}
