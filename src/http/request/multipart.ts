import { Problem } from '../../base/problem.ts'
import { decodeUtf8, isBlank } from '../../base/text.ts'
import { parseHeaderValue } from './headerValue.ts'

/** A file part of a multipart form. */
export class Upload {
  /** @param filename as the sender says it, with whatever path or ending */
  constructor(
    readonly bytes: Uint8Array,
    readonly filename: string,
  ) {}
}

export type Part = readonly [name: string, value: string | Upload]

const NEWLINE = '\r\n'
const CLOSING = Buffer.from('--')
const MAX_HEAD = 8 * 1024

/**
 * The parts of a `multipart/form-data` body (RFC 7578), in its order. A file is an Upload, a view of the body's own
 * memory; anything else is text.
 * @throws Problem 'malformed' if the parts can't be told apart, one has no name, or a text is not UTF-8
 */
export function* readMultipart(body: Uint8Array, boundary: string): Generator<Part> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const delimiter = Buffer.from(`${NEWLINE}--${boundary}`, 'latin1')
  const opening = delimiter.subarray(NEWLINE.length)
  const first = bytes.indexOf(opening)
  if (first < 0 || !isBlank(bytes.toString('latin1', 0, first)))
    throw malformed('it does not begin with its boundary')
  let at = first + opening.length
  while (!bytes.subarray(at, at + CLOSING.length).equals(CLOSING)) {
    const end = bytes.indexOf(delimiter, at)
    if (end < 0) throw malformed('it ends without its closing boundary')
    yield readPart(bytes.subarray(at, end))
    at = end + delimiter.length
  }
  if (!isBlank(bytes.toString('latin1', at + CLOSING.length)))
    throw malformed('it goes on after its closing boundary')
}

/** Reads what stands between two boundaries: the end of the line, headers, a blank line, the content. */
function readPart(bytes: Buffer): Part {
  const headEnd = bytes.indexOf(NEWLINE + NEWLINE)
  if (headEnd < 0) throw malformed('a part of it has no blank line after its headers')
  if (headEnd > MAX_HEAD) throw malformed(`a part of it has headers of over ${MAX_HEAD} bytes`)
  const [boundaryLine = '', ...headers] = decodeUtf8(bytes.subarray(0, headEnd), 'form').split(NEWLINE)
  if (boundaryLine.trim() !== '') throw malformed('a line of it begins with the boundary and goes on')
  const parameters = disposition(headers)
  const name = parameters?.get('name')
  if (name === undefined) throw malformed('a part of it has no name')
  const filename = parameters?.get('filename') ?? parameters?.get('filename*')
  const content = bytes.subarray(headEnd + 2 * NEWLINE.length)
  return [unquoted(name), filename === undefined ? decodeUtf8(content, 'form') : upload(content, filename)]
}

function disposition(headers: readonly string[]): ReadonlyMap<string, string> | undefined {
  const line = headers.find(header => /^content-disposition:/i.test(header))
  const { value, parameters } = parseHeaderValue(line?.slice(line.indexOf(':') + 1) ?? '')
  return value === 'form-data' ? parameters : undefined
}

/** A plain Uint8Array, since a Buffer's `slice` and `toString` do something else. */
const upload = (content: Buffer, filename: string) =>
  new Upload(new Uint8Array(content.buffer, content.byteOffset, content.length), unquoted(filename))

/** Puts back what browsers may not send within quotes. */
const unquoted = (text: string) => text.replace(/%(?:22|0d|0a)/gi, decodeURIComponent)

const malformed = (fault: string) => new Problem('malformed', `The form can't be read: ${fault}.`)
