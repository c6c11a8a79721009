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
  const { error } = array
  if (error !== undefined) yield { place: `Row ${count + 1}`, content: error }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const END = 0x5d
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([END, 0x7d])
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Separates the elements of an array at its own brackets and commas, not at those in strings and elements. */
class ArrayScanner {
  /** The number of open brackets. */
  private depth = 0
  /** Whether a comma or bracket between elements is where none can be. Elements are checked when they are read. */
  private isMalformed = false
  private hasEnded = false
  private isAfterComma = false
  private isInElement = false
  private isInString = false
  private isEscaped = false

  readonly isSeparator: IsSeparator = byte => {
    if (this.isInString) {
      this.isInString = this.isEscaped || byte !== QUOTE
      this.isEscaped = !this.isEscaped && byte === BACKSLASH
      return false
    }
    if (this.depth <= 1 && !SPACES.has(byte)) this.checkPlace(byte)
    if (byte === QUOTE) this.isInString = true
    else if (OPENING.has(byte)) return this.depth++ === 0
    else if (CLOSING.has(byte)) return --this.depth === 0
    return byte === COMMA && this.depth === 1
  }

  /** The error of the array as a whole; undefined if it is complete. */
  get error(): string | undefined {
    if (this.depth > 0) return 'The end of the array is missing.'
    return this.isMalformed ? 'The array has a comma or bracket too many.' : undefined
  }

  /** Checks a byte that is not in an element, except for its first one. */
  private checkPlace(byte: number) {
    if (this.depth === 0) this.isMalformed ||= this.hasEnded
    else if (byte === COMMA) {
      this.isMalformed ||= !this.isInElement
      this.isAfterComma = true
      this.isInElement = false
    } else if (CLOSING.has(byte)) {
      this.isMalformed ||= byte !== END || (this.isAfterComma && !this.isInElement)
      this.hasEnded = true
    } else this.isInElement = true
  }
}
