import { readJson } from '../../http/request/json.ts'
import type { Fields } from '../../validation/validation.ts'
import { type ImportRow, isLineFeed, type IsSeparator, readRow, split } from './rows.ts'

const read = (text: string): Fields => ({ values: readJson(text, 'row'), isForm: false })

/** Reads an object from each line, and skips blank lines. */
export function* readJsonLines(chunks: Iterable<Uint8Array>): Generator<ImportRow | undefined> {
  for (const piece of split(chunks, isLineFeed)) {
    yield piece && readRow(`Line ${piece.line}`, piece, read)
  }
}

/** Reads the objects of an array. */
export function* readJsonArray(chunks: Iterable<Uint8Array>): Generator<ImportRow | undefined> {
  const array = new ArrayScanner()
  let count = 0
  for (const piece of split(chunks, array.isSeparator)) {
    const row = piece && readRow(`Row ${count + 1}`, piece, read)
    if (row) count++
    yield row
  }
  if (array.depth > 0) yield { place: `Row ${count + 1}`, content: 'The end of the array is missing.' }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** Separates the elements of an array at its own brackets and commas, not at those in strings and elements. */
class ArrayScanner {
  /** The number of open brackets. */
  depth = 0
  private isInString = false
  private isEscaped = false

  readonly isSeparator: IsSeparator = byte => {
    if (this.isInString) {
      this.isInString = this.isEscaped || byte !== QUOTE
      this.isEscaped = !this.isEscaped && byte === BACKSLASH
      return false
    }
    if (byte === QUOTE) this.isInString = true
    else if (OPENING.has(byte)) return this.depth++ === 0
    else if (CLOSING.has(byte)) return --this.depth === 0
    return byte === COMMA && this.depth === 1
  }
}
