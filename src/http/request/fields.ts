import { Problem } from '../../base/problem.ts'
import { decodeUtf8 } from '../../base/text.ts'
import type { Fields } from '../../validation/validation.ts'
import { type BodyLimits, type BodySource, readBody } from './body.ts'
import { parseHeaderValue } from './headerValue.ts'
import { readJson } from './json.ts'
import { type Part, readMultipart, Upload } from './multipart.ts'
import { parsePairs } from './query.ts'

export { Upload } from './multipart.ts'

const MAX_FORM_FIELDS = 1000

/** A supported content type. */
interface Media {
  /** Which of the route's limits applies to it. */
  readonly limit: keyof BodyLimits
  read(body: Uint8Array, parameters: ReadonlyMap<string, string>): Fields
}

export const JSON_TYPE = 'application/json'

const MEDIA = new Map<string, Media>([
  [
    JSON_TYPE,
    {
      limit: 'other',
      read: body => ({ values: readJson(decodeUtf8(body, 'body'), 'body'), isForm: false }),
    },
  ],
  [
    'application/x-www-form-urlencoded',
    { limit: 'other', read: body => readForm(parsePairs(decodeUtf8(body, 'body'), 'body')) },
  ],
  [
    'multipart/form-data',
    { limit: 'multipart', read: (body, parameters) => readForm(readMultipart(body, boundaryOf(parameters))) },
  ],
])

const NO_FIELDS: Fields = { values: new Map(), isForm: false }

/**
 * Reads the fields in a request's body, which must not have been read before. An empty body has no fields.
 * @param types the content types that are accepted
 * @throws Problem 'unsupportedMediaType', 'contentTooLarge', 'busy', or 'malformed' if the body is not what its content type says
 */
export async function readFields(
  source: BodySource,
  limits: BodyLimits,
  types: readonly string[] = [...MEDIA.keys()],
): Promise<Fields> {
  const { request } = source
  const { value, parameters } = parseHeaderValue(request.headers.get('content-type') ?? '')
  const media = types.includes(value) ? MEDIA.get(value) : undefined
  if (!media) return emptyOnly(source, `Send the body as ${types.join(', ')}.`)
  if (!isUtf8(parameters.get('charset'))) return emptyOnly(source, 'Send the body as UTF-8.')
  if (!isPlain(request.headers.get('content-encoding')))
    return emptyOnly(source, 'Send the body without a content-encoding.')
  const body = await readBody(source, limits[media.limit])
  return body.length === 0 ? NO_FIELDS : media.read(withoutByteOrderMark(body), parameters)
}

/** Accepts only an empty body. @throws Problem 'unsupportedMediaType' with the message */
async function emptyOnly(source: BodySource, message: string): Promise<Fields> {
  await readBody(source, 0, () => new Problem('unsupportedMediaType', message))
  return NO_FIELDS
}

const isUtf8 = (charset = 'utf-8') => /^utf-?8$/i.test(charset)
/** Whether a body has no `content-encoding`. */
export const isPlain = (coding: string | null) => coding === null || coding.toLowerCase() === 'identity'

/** Removes the byte order mark that some editors add. */
function withoutByteOrderMark(body: Uint8Array): Uint8Array {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body
}

/** Returns the boundary of a form from the parameters of its content type. @throws Problem 'malformed' */
export function boundaryOf(parameters: ReadonlyMap<string, string>): string {
  const text = parameters.get('boundary')
  if (!text) throw new Problem('malformed', 'The content type has no boundary.')
  return text
}

function readForm(parts: Iterable<Part>): Fields {
  const values = new Map<string, string | Upload>()
  let count = 0
  for (const [name, value] of parts) {
    if (++count > MAX_FORM_FIELDS)
      throw new Problem('contentTooLarge', `The form has over ${MAX_FORM_FIELDS} fields.`)
    // Browsers send an empty file if none was chosen.
    if (value instanceof Upload && value.bytes.length === 0) continue
    values.set(bareName(name), value)
  }
  return { values, isForm: true }
}

/** Returns `title` for `job[title]`: forms may wrap the names of fields. */
const bareName = (name: string) => /^job\[([^[\]]+)\]$/.exec(name)?.[1] ?? name
