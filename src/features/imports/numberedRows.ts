import { readerOf } from './format.ts'
import type { ImportRow } from './rows.ts'
import type { SourceFile } from './source.ts'

export interface NumberedRow extends ImportRow {
  /** The place among the rows of all files, from 1. */
  readonly number: number
}

/**
 * Reads the rows of files.
 * @param onRead gets the size of each chunk in bytes
 */
export function* numberedRows(
  files: readonly SourceFile[],
  onRead: (bytes: number) => void,
): Generator<NumberedRow> {
  let number = 0
  for (const [at, file] of files.entries())
    for (const { place, content } of readerOf(file)(reportSizes(file.chunks(), onRead))) {
      number++
      yield {
        place: files.length === 1 ? place : `Page ${at + 1}, ${place.toLowerCase()}`,
        content,
        number,
      }
    }
}

function* reportSizes(chunks: Iterable<Uint8Array>, onRead: (bytes: number) => void) {
  for (const chunk of chunks) {
    onRead(chunk.length)
    yield chunk
  }
}
