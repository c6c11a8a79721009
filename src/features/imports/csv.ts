import { parse } from 'csv-parse/sync'
import { Problem } from '../../base/problem.ts'
import type { Fields } from '../../validation/validation.ts'
import { type ImportRow, isLineFeed, type IsSeparator, readRow, type RowReader, split } from './rows.ts'

const DELIMITERS = [',', ';', '\t']
const QUOTE = 0x22

/** The column that every table of jobs has. */
const TITLE = 'title'

/**
 * Returns a reader for tables with this header, which consists of field names in any case. Returns undefined for other
 * text. A row's place is the line on which it starts. Empty cells count as missing.
 */
export function csvReader(header: string): RowReader | undefined {
  const delimiter = DELIMITERS.find(candidate => columnsOf(header, candidate).includes(TITLE))
  return delimiter === undefined ? undefined : chunks => readTable(chunks, delimiter)
}

function columnsOf(header: string, delimiter: string): string[] {
  try {
    return cellsOf(header, delimiter).map(name => name.trim().toLowerCase())
  } catch {
    return []
  }
}

function* readTable(chunks: Iterable<Uint8Array>, delimiter: string): Generator<ImportRow | undefined> {
  let columns: readonly string[] | undefined
  const read = (text: string): Fields => {
    columns ??= columnsOf(text, delimiter)
    return { values: valuesOf(columns, cellsOf(text, delimiter)), isForm: true }
  }
  for (const piece of split(chunks, recordSeparator(delimiter))) {
    const isHeader = !columns
    const row = piece && readRow(`Line ${piece.line}`, piece, read)
    yield isHeader ? undefined : row
  }
}

function valuesOf(columns: readonly string[], cells: readonly string[]) {
  if (cells.length !== columns.length)
    throw malformed(`The row has ${cells.length} cells, but the header has ${columns.length}.`)
  const pairs = columns.map((name, at) => [name, cells[at] ?? ''] as const)
  return new Map<string, string>(pairs.filter(([, cell]) => cell.trim() !== ''))
}

function cellsOf(record: string, delimiter: string): string[] {
  try {
    const options = { delimiter, record_delimiter: '\n' }
    const [cells = []] = parse(record.replace(/\r$/, ''), options)
    return cells
  } catch {
    throw malformed('The row has a misplaced or unclosed quote.')
  }
}

const malformed = (sentence: string) => new Problem('malformed', sentence)

/**
 * Separates records at line feeds outside of quotes. csv-parse parses each record, but not the whole stream: after a wrong
 * quote or a row that is too long it skips the rows that follow, and it counts a CRLF in quotes as two lines.
 */
function recordSeparator(delimiter: string): IsSeparator {
  const delimiterByte = delimiter.charCodeAt(0)
  let isQuoted = false
  let isCellStart = true
  return byte => {
    if (byte === QUOTE && (isQuoted || isCellStart)) {
      // A doubled quote closes and opens again.
      isQuoted = !isQuoted
      return false
    }
    if (isQuoted) return false
    isCellStart = byte === delimiterByte || isLineFeed(byte)
    return isLineFeed(byte)
  }
}
