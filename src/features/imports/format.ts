import { Problem } from '../../base/problem.ts'
import { decodeUtf8 } from '../../base/text.ts'
import { csvReader } from './csv.ts'
import { ImportError } from './importError.ts'
import { readJsonArray, readJsonLines } from './json.ts'
import type { RowReader } from './rows.ts'
import type { SourceFile } from './source.ts'

const LEADING_SPACE = /^\s*/

/**
 * Detects the format of a file by its content, and returns its reader.
 * @throws ImportError if the format is unknown
 */
export function readerOf(file: SourceFile): RowReader {
  const [head = new Uint8Array()] = file.chunks()
  // The first chunk may end anywhere, but a header fits into it.
  const [line = ''] = Buffer.from(head).toString('latin1').replace(LEADING_SPACE, '').split('\n', 1)
  if (line === '') throw new ImportError(`${file.name} is empty.`)
  if (line.startsWith('[')) return readJsonArray
  if (line.startsWith('{')) return readJsonLines
  const header = decodeHeader(Buffer.from(line, 'latin1'), file.name)
  if (/\r(?!$)/.test(header))
    throw new ImportError(
      `${file.name} has old line endings (a carriage return alone). Save it with line feeds.`,
    )
  const reader = csvReader(header)
  if (reader) return reader
  throw new ImportError(
    `${file.name} is neither JSON, JSON Lines nor CSV with a header of field names (title, description, …).`,
  )
}

function decodeHeader(bytes: Uint8Array, name: string): string {
  try {
    return decodeUtf8(bytes, 'header')
  } catch (error) {
    if (error instanceof Problem) throw new ImportError(`${name} isn't valid UTF-8. Save it as UTF-8.`)
    throw error
  }
}
