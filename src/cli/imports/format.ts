import { Problem } from '../../base/problem.ts'
import { decodeUtf8 } from '../../base/text.ts'
import { CommandError } from '../command.ts'
import { csvReader } from './csv.ts'
import { readJsonArray, readJsonLines } from './json.ts'
import type { Reader } from './row.ts'
import type { SourceFile } from './source.ts'

const SPACE = /^\s*/

/**
 * Tells by what is in a file how its rows are to be read.
 * @throws Failure if it is of no format that is known
 */
export function readerOf(file: SourceFile): Reader {
  const [head = new Uint8Array()] = file.chunks()
  // what is in the head need not be whole, but its first line, if it is a header, is
  const [line = ''] = Buffer.from(head).toString('latin1').replace(SPACE, '').split('\n', 1)
  if (line === '') throw new CommandError(`${file.name} is empty.`)
  if (line.startsWith('[')) return readJsonArray
  if (line.startsWith('{')) return readJsonLines
  const header = decodeHeader(Buffer.from(line, 'latin1'), file.name)
  if (/\r(?!$)/.test(header))
    throw new CommandError(
      `${file.name} has lines that end in a carriage return alone; save it with line feeds.`,
    )
  const reader = csvReader(header)
  if (reader) return reader
  throw new CommandError(
    `${file.name} is neither a JSON array nor JSON Lines, nor CSV with a header that names the fields (title, description, …).`,
  )
}

function decodeHeader(bytes: Uint8Array, name: string): string {
  try {
    return decodeUtf8(bytes, 'header')
  } catch (error) {
    if (error instanceof Problem) throw new CommandError(`${name} is not valid UTF-8; save it as UTF-8.`)
    throw error
  }
}
