import { Problem } from '../../base/problem.ts'
import { decodeUtf8 } from '../../base/text.ts'
import type { Fields } from '../../validation/validation.ts'
import { type Piece, ROW_AT_MOST } from './cut.ts'

const MEBIBYTE = 2 ** 20

/** A row of a file, and what it says; or the sentence on why that can't be read. */
export interface Row {
  /** Where it stands, as a person finds it: `Line 7`, `Row 3`. */
  readonly place: string
  readonly said: Fields | string
}

/** Reads the rows of a file of one format, which comes in chunks. */
export type Reader = (chunks: Iterable<Uint8Array>) => Generator<Row>

/**
 * The row that a piece of a file holds, undefined if that is blank.
 * @param read may throw a Problem, whose sentence then stands for the row
 */
export function rowOf(place: string, { bytes }: Piece, read: (text: string) => Fields): Row | undefined {
  if (!bytes) return { place, said: `The row is over ${ROW_AT_MOST / MEBIBYTE} MiB.` }
  try {
    const text = decodeUtf8(bytes, 'row')
    return text.trim() === '' ? undefined : { place, said: read(text) }
  } catch (error) {
    if (error instanceof Problem) return { place, said: error.message }
    throw error
  }
}
