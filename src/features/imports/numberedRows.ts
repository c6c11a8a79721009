import { readerOf } from './format.ts'
import type { ImportRow } from './rows.ts'
import type { ImportSource } from './source.ts'

export interface NumberedRow extends ImportRow {
  /** The place among the rows of all files, from 1. */
  readonly number: number
}

/**
 * Reads the rows of an import. Yields undefined now and then, so that its caller can pause.
 * @param onRead gets the size of each chunk in bytes
 */
export function* numberedRows(
  { files, placeOf }: ImportSource,
  onRead: (bytes: number) => void,
): Generator<NumberedRow | undefined> {
  let number = 0
  for (const [at, file] of files.entries())
    for (const row of readerOf(file)(reportSizes(file.chunks(), onRead))) {
      if (row) number++
      const page = (own: string) => (files.length === 1 ? own : `Page ${at + 1}, ${own.toLowerCase()}`)
      yield row && { ...row, place: placeOf?.(number) ?? page(row.place), number }
    }
}

/** Passes chunks on, and reports the size of each in bytes. */
export function* reportSizes(chunks: Iterable<Uint8Array>, onRead: (bytes: number) => void) {
  for (const chunk of chunks) {
    onRead(chunk.length)
    yield chunk
  }
}
