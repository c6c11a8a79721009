import { Problem } from '../../base/problem.ts'
import { decodeUtf8, isBlank } from '../../base/text.ts'
import { parseHeaderValue } from './headerValue.ts'

/** A file part of a multipart form. */
export class Upload {
  /** @param filename as it was sent; it may contain a path, and any extension */
  constructor(
    readonly bytes: Uint8Array,
    readonly filename: string,
  ) {}
}

export type Part = readonly [name: string, value: string | Upload]

const NEWLINE = '\r\n'
/** The end of a part's headers. */
export const HEAD_END = NEWLINE + NEWLINE
export const CLOSING = Buffer.from('--')
export const MAX_HEAD = 8 * 1024

/**
 * Parses a `multipart/form-data` body (RFC 7578), and yields its parts in order. A file becomes an Upload, whose bytes
 * are a view of the body's memory; any other part is text.
 * @throws Problem 'malformed' if a boundary or a name is missing, or a text is not UTF-8
 */
export function* readMultipart(body: Uint8Array, boundary: string): Generator<Part> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const delimiter = delimiterOf(boundary)
  const opening = delimiter.subarray(NEWLINE.length)
  const first = bytes.indexOf(opening)
  if (first < 0 || !isBlank(bytes.toString('latin1', 0, first)))
    throw malformed("it doesn't start with its boundary")
  let at = first + opening.length
  while (!bytes.subarray(at, at + CLOSING.length).equals(CLOSING)) {
    const end = bytes.indexOf(delimiter, at)
    if (end < 0) throw malformed('it ends without its closing boundary')
    yield readPart(bytes.subarray(at, end))
    at = end + delimiter.length
  }
  if (!isBlank(bytes.toString('latin1', at + CLOSING.length)))
    throw malformed('it continues after its closing boundary')
}

/** Returns the bytes between parts, with the line break that ends the content before them. */
export const delimiterOf = (boundary: string) => Buffer.from(`${NEWLINE}--${boundary}`, 'latin1')

/** Parses a part, from after its boundary to the next: the end of the line, headers, a blank line, and the content. */
function readPart(bytes: Buffer): Part {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) throw malformed('a part has no blank line after its headers')
  const { name, filename } = parseHead(bytes.subarray(0, headEnd))
  const content = bytes.subarray(headEnd + HEAD_END.length)
  return [name, filename === undefined ? decodeUtf8(content, 'form') : upload(content, filename)]
}

/** The names of a part. */
export interface PartHead {
  readonly name: string
  /** The name of the file, as it was sent; undefined if the part is text. */
  readonly filename: string | undefined
}

/** Parses the head of a part: the end of the boundary's line, and the headers. @throws Problem 'malformed' */
export function parseHead(bytes: Uint8Array): PartHead {
  if (bytes.length > MAX_HEAD) throw malformed(`a part has over ${MAX_HEAD} bytes of headers`)
  const [boundaryLine = '', ...headers] = decodeUtf8(bytes, 'form').split(NEWLINE)
  if (boundaryLine.trim() !== '') throw malformed('a line continues after the boundary')
  const parameters = disposition(headers)
  const name = parameters?.get('name')
  if (name === undefined) throw malformed('a part has no name')
  const filename = parameters?.get('filename') ?? parameters?.get('filename*')
  return { name: decodeQuoted(name), filename: filename === undefined ? undefined : decodeQuoted(filename) }
}

function disposition(headers: readonly string[]): ReadonlyMap<string, string> | undefined {
  const line = headers.find(header => /^content-disposition:/i.test(header))
  const { value, parameters } = parseHeaderValue(line?.slice(line.indexOf(':') + 1) ?? '')
  return value === 'form-data' ? parameters : undefined
}

/** Creates an Upload with a plain Uint8Array, because a Buffer's `slice` and `toString` behave differently. */
const upload = (content: Buffer, filename: string) =>
  new Upload(new Uint8Array(content.buffer, content.byteOffset, content.length), filename)

/** Decodes the characters that browsers encode inside quotes: the quote itself and line breaks. */
const decodeQuoted = (text: string) => text.replace(/%(?:22|0d|0a)/gi, decodeURIComponent)

export const malformed = (reason: string) => new Problem('malformed', `The form can't be read: ${reason}.`)
