import { parse } from 'csv-parse/sync'
import { Problem } from '../../base/problem.ts'
import type { Fields } from '../../validation/validation.ts'
import { type Bound, cut } from './cut.ts'
import { type Reader, type Row, rowOf } from './row.ts'

const DELIMITERS = [',', ';', '\t']
const LINE_FEED = 0x0a
const QUOTE = 0x22

/** The column that every table of jobs has. */
const TITLE = 'title'

/**
 * Reads a table by its header, whose names are those of the fields in any case. A row is named by the line on which it
 * begins, and an empty cell is as good as none.
 * @returns undefined if this is no header of such a table
 */
export function csvReader(header: string): Reader | undefined {
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

function* readTable(chunks: Iterable<Uint8Array>, delimiter: string): Generator<Row> {
  let columns: readonly string[] | undefined
  const read = (text: string): Fields => {
    columns ??= columnsOf(text, delimiter)
    return { values: valuesOf(columns, cellsOf(text, delimiter)), form: true }
  }
  for (const piece of cut(chunks, recordBound(delimiter))) {
    const isHeader = !columns
    const row = rowOf(`Line ${piece.line}`, piece, read)
    if (row && !isHeader) yield row
  }
}

function valuesOf(columns: readonly string[], cells: readonly string[]) {
  if (cells.length !== columns.length)
    throw malformed(`it has ${cells.length} cells, and the header has ${columns.length}`)
  const pairs = columns.map((name, at) => [name, cells[at] ?? ''] as const)
  return new Map<string, string>(pairs.filter(([, cell]) => cell.trim() !== ''))
}

function cellsOf(record: string, delimiter: string): string[] {
  try {
    const options = { delimiter, record_delimiter: '\n' }
    const [cells = []] = parse(record.replace(/\r$/, ''), options)
    return cells
  } catch {
    throw malformed('a quote stands where none may, or is not closed')
  }
}

const malformed = (why: string) => new Problem('malformed', `The row does not fit its table: ${why}.`)

/** Ends a piece at every line that is not within quotes; a cell that did not begin with a quote has none. */
function recordBound(delimiter: string): Bound {
  const between = delimiter.charCodeAt(0)
  let isQuoted = false
  let mayOpen = true
  return byte => {
    if (byte === QUOTE && (isQuoted || mayOpen)) {
      // one that seems to close, with another next to it, opens again: so a quote is written within quotes
      isQuoted = !isQuoted
      return false
    }
    if (isQuoted) return false
    mayOpen = byte === between || byte === LINE_FEED
    return byte === LINE_FEED
  }
}
