const LINE_FEED = 0x0a

/** The longest row that is read, in bytes: the largest logo in base64, and all the text beside it. */
export const ROW_AT_MOST = 16 * 2 ** 20

/** What stands between two bounds. */
export interface Piece {
  /** Undefined if there are too many. */
  readonly bytes: Uint8Array | undefined
  /** The line on which it begins, from 1. */
  readonly line: number
}

/** Is shown every byte in turn, and tells whether it ends a piece. */
export type Bound = (byte: number) => boolean

/** Ends a piece at every line. */
export const atLines: Bound = byte => byte === LINE_FEED

/** Cuts what comes in chunks into pieces; no more than one piece is held in memory. */
export function* cut(chunks: Iterable<Uint8Array>, ends: Bound): Generator<Piece> {
  const gathered = new Gathered()
  let line = 1
  let begun = 1
  for (const chunk of chunks) {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (byte === LINE_FEED) line++
      if (!ends(byte)) continue
      gathered.add(chunk.subarray(start, at))
      yield { bytes: gathered.take(), line: begun }
      start = at + 1
      begun = line
    }
    gathered.add(chunk.subarray(start))
  }
  if (gathered.size > 0) yield { bytes: gathered.take(), line: begun }
}

/** The bytes of a piece, which may come from several chunks. */
class Gathered {
  size = 0
  private parts: Uint8Array[] = []

  add(part: Uint8Array) {
    if (part.length === 0) return
    this.size += part.length
    if (this.size > ROW_AT_MOST) this.parts = []
    else this.parts.push(part)
  }

  take(): Uint8Array | undefined {
    const { size, parts } = this
    this.size = 0
    this.parts = []
    if (size > ROW_AT_MOST) return undefined
    const [first] = parts
    return first && parts.length === 1 ? first : Buffer.concat(parts)
  }
}
