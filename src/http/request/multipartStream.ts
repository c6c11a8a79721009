import { CLOSING, delimiterOf, HEAD_END, malformed, MAX_HEAD, parseHead, type PartHead } from './multipart.ts'

/** A body while it arrives. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * Parses a `multipart/form-data` body while it arrives. Yields the head of each part, followed by its content in pieces.
 * @throws Problem 'malformed'
 */
export async function* streamMultipart(
  chunks: Chunks,
  boundary: string,
): AsyncGenerator<PartHead | Uint8Array> {
  const parser = new MultipartParser(delimiterOf(boundary))
  for await (const chunk of chunks) {
    parser.add(chunk)
    for (;;) {
      const next = parser.next()
      if (next === undefined) break
      yield next
    }
  }
  if (!parser.isDone) throw malformed('it ends without its closing boundary')
}

/** Finds the parts in the bytes so far. Of these, it keeps only what may be an incomplete head or boundary. */
class MultipartParser {
  isDone = false
  /** Begins with a line break, because none comes before the first boundary. */
  private rest = Buffer.from('\r\n')
  private state: 'preamble' | 'head' | 'content' = 'preamble'

  constructor(private readonly delimiter: Buffer) {}

  add(chunk: Uint8Array): void {
    this.rest = this.isDone ? Buffer.alloc(0) : Buffer.concat([this.rest, chunk])
  }

  /** Returns the next head or piece of content; undefined if more bytes are needed. */
  next(): PartHead | Uint8Array | undefined {
    while (!this.isDone) {
      if (this.state === 'head') return this.head()
      const end = this.rest.indexOf(this.delimiter)
      const length = end < 0 ? this.rest.length - this.delimiter.length + 1 : end
      const content = this.take(Math.max(0, length))
      const isPreamble = this.state === 'preamble'
      if (end >= 0) {
        this.take(this.delimiter.length)
        this.state = 'head'
      }
      if (!isPreamble && content.length > 0) return content
      if (end < 0) return undefined
    }
    return undefined
  }

  private head(): PartHead | undefined {
    if (this.rest.subarray(0, CLOSING.length).equals(CLOSING)) {
      this.isDone = true
      return undefined
    }
    const end = this.rest.indexOf(HEAD_END)
    if (end < 0 && this.rest.length <= MAX_HEAD) return undefined
    const head = parseHead(end < 0 ? this.rest : this.take(end))
    this.take(HEAD_END.length)
    this.state = 'content'
    return head
  }

  private take(length: number): Buffer {
    const taken = this.rest.subarray(0, length)
    this.rest = this.rest.subarray(length)
    return taken
  }
}
