import { Problem } from '../../base/problem.ts'
import { decodeUtf8 } from '../../base/text.ts'
import type { Fields } from '../../validation/validation.ts'

const LINE_FEED = 0x0a
const MEBIBYTE = 2 ** 20
/** The longest row, in bytes: the largest logo in base64 and the longest texts fit. */
const MAX_ROW_SIZE = 16 * MEBIBYTE

/** A row of a file: its fields, or an error sentence if it can't be read. */
export interface ImportRow {
  /** The place of the row in the file: `Line 7`, `Row 3`. */
  readonly place: string
  readonly content: Fields | string
}

/** Reads the rows of a file of one format from its chunks. Yields undefined after each chunk, so that its caller can pause. */
export type RowReader = (chunks: Iterable<Uint8Array>) => Generator<ImportRow | undefined>

/** The bytes between two separators. */
interface Piece {
  /** The content; undefined if it is too long for a row. */
  readonly bytes: Uint8Array | undefined
  /** The line on which the piece starts, from 1. */
  readonly line: number
}

/** Gets every byte in turn, and returns whether it is a separator. */
export type IsSeparator = (byte: number) => boolean

export const isLineFeed: IsSeparator = byte => byte === LINE_FEED

/** Splits chunks into pieces at the separators. At most one piece is in memory. Yields undefined after each chunk. */
export function* split(chunks: Iterable<Uint8Array>, isSeparator: IsSeparator): Generator<Piece | undefined> {
  let parts: Uint8Array[] = []
  let size = 0
  let line = 1
  let startLine = 1
  const add = (part: Uint8Array) => {
    size += part.length
    if (size > MAX_ROW_SIZE) parts = []
    else parts.push(part)
  }
  const finish = (): Piece => {
    const piece = { bytes: size > MAX_ROW_SIZE ? undefined : Buffer.concat(parts), line: startLine }
    parts = []
    size = 0
    startLine = line
    return piece
  }
  for (const chunk of chunks) {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (byte === LINE_FEED) line++
      if (!isSeparator(byte)) continue
      add(chunk.subarray(start, at))
      yield finish()
      start = at + 1
    }
    add(chunk.subarray(start))
    yield undefined
  }
  if (size > 0) yield finish()
}

/**
 * Reads the row of a piece; undefined if it is blank.
 * @param read may throw a Problem, whose message becomes the error of the row
 */
export function readRow(
  place: string,
  { bytes }: Piece,
  read: (text: string) => Fields,
): ImportRow | undefined {
  if (!bytes) return { place, content: `The row is larger than ${MAX_ROW_SIZE / MEBIBYTE} MiB.` }
  try {
    const text = decodeUtf8(bytes, 'row')
    return text.trim() === '' ? undefined : { place, content: read(text) }
  } catch (error) {
    if (error instanceof Problem) return { place, content: error.message }
    throw error
  }
}
