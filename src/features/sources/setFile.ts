import { Problem } from '../../base/problem.ts'
import type { Fields } from '../../validation/validation.ts'
import { readJsonArray, readJsonLines } from '../imports/json.ts'
import { reportSizes } from '../imports/numberedRows.ts'
import type { RowReader } from '../imports/rows.ts'
import type { SourceFile } from '../imports/source.ts'

/** The most postings of one source. */
export const MAX_POSTINGS = 20_000

/** A posting of a set, with its place from 1. */
export interface NumberedPosting {
  readonly n: number
  readonly fields: Fields
}

/**
 * Reads the postings of a set: a JSON array, or JSON Lines. Yields undefined now and then, so that its caller can pause.
 * @param onRead gets the number of bytes that were read
 * @throws Problem 'malformed' if it isn't a complete set, or 'contentTooLarge'
 */
export function* readSet(
  file: SourceFile,
  onRead: (bytes: number) => void,
): Generator<NumberedPosting | undefined> {
  let n = 0
  for (const row of readerOf(file)(reportSizes(file.chunks(), onRead))) {
    if (row && typeof row.content === 'string')
      throw new Problem(
        'malformed',
        `The set can't be read, so nothing was changed. ${row.place}: ${row.content}`,
      )
    if (row && ++n > MAX_POSTINGS)
      throw new Problem(
        'contentTooLarge',
        `The set has more than ${MAX_POSTINGS.toLocaleString('en')} postings, the limit for one source. Nothing was changed.`,
      )
    yield row && typeof row.content !== 'string' ? { n, fields: row.content } : undefined
  }
}

const NO_ROWS: RowReader = function* empty() {}

function readerOf(file: SourceFile): RowReader {
  const [head = new Uint8Array()] = file.chunks()
  const text = Buffer.from(head).toString('latin1').trimStart()
  if (text.startsWith('[')) return readJsonArray
  if (text.startsWith('{')) return readJsonLines
  if (text === '') return NO_ROWS
  throw new Problem('malformed', 'The set is neither a JSON array nor JSON Lines. Nothing was changed.')
}
