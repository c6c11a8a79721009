import { readJson } from '../../http/request/json.ts'
import type { Fields } from '../../validation/validation.ts'
import { atLines, type Bound, cut } from './cut.ts'
import { type Row, rowOf } from './row.ts'

const readRow = (text: string): Fields => ({ values: readJson(text, 'row'), form: false })

/** An object on each line; blank lines are passed over. */
export function* readJsonLines(chunks: Iterable<Uint8Array>): Generator<Row> {
  for (const piece of cut(chunks, atLines)) {
    const row = rowOf(`Line ${piece.line}`, piece, readRow)
    if (row) yield row
  }
}

/** The objects of an array. */
export function* readJsonArray(chunks: Iterable<Uint8Array>): Generator<Row> {
  const array = new ArrayBounds()
  let count = 0
  for (const piece of cut(chunks, array.ends)) {
    const row = rowOf(`Row ${count + 1}`, piece, readRow)
    if (!row) continue
    count++
    yield row
  }
  if (array.depth > 0)
    yield { place: `Row ${count + 1}`, said: 'The array is not closed: its end is missing.' }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** Finds where the elements of an array end: at its own commas and brackets, those of strings and elements left out. */
class ArrayBounds {
  /** In how many brackets the byte stands that was shown last. */
  depth = 0
  private inString = false
  private isEscaped = false

  readonly ends: Bound = byte => {
    if (this.inString) {
      this.followString(byte)
      return false
    }
    if (byte === QUOTE) this.inString = true
    else if (OPENING.has(byte)) return this.depth++ === 0
    else if (CLOSING.has(byte)) return --this.depth === 0
    return byte === COMMA && this.depth === 1
  }

  private followString(byte: number) {
    if (this.isEscaped) this.isEscaped = false
    else if (byte === BACKSLASH) this.isEscaped = true
    else if (byte === QUOTE) this.inString = false
  }
}
