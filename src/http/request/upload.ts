import { Problem } from '../../base/problem.ts'
import { decodeUtf8 } from '../../base/text.ts'
import type { Fields } from '../../validation/validation.ts'
import { tooLarge } from './body.ts'
import { boundaryOf, isPlain } from './fields.ts'
import { parseHeaderValue } from './headerValue.ts'
import { type Chunks, streamMultipart } from './multipartStream.ts'

const MULTIPART = 'multipart/form-data'
/** In bytes, the most that a form may have besides its file. */
const MAX_FORM_SIZE = 64 * 1024

/** A file that is too large for memory: the whole body, or a field of a form. */
export interface UploadRules {
  /** The name of the form's field. */
  readonly field: string
  /** The content types of a body that is the file. */
  readonly types: readonly string[]
  readonly maxBytes: number
}

/** The result of an upload. */
interface Upload {
  /** In bytes; 0 if there is no file. */
  readonly size: number
  /** The name of the file, as it was sent; undefined if there is none. */
  readonly filename: string | undefined
  /** The other fields of the form. */
  readonly form: Fields
}

/**
 * Reads the file in a request's body while it arrives.
 * @param onPiece gets the file piece by piece, and is awaited
 * @throws Problem 'unsupportedMediaType', 'contentTooLarge', 'malformed'
 */
export async function readUpload(
  request: Request,
  rules: UploadRules,
  onPiece: (piece: Uint8Array) => Promise<void>,
): Promise<Upload> {
  const { field, types, maxBytes } = rules
  const { value: type, parameters } = parseHeaderValue(request.headers.get('content-type') ?? '')
  if (type !== MULTIPART && !types.includes(type))
    throw new Problem('unsupportedMediaType', `Send the file as ${[MULTIPART, ...types].join(', ')}.`)
  if (!isPlain(request.headers.get('content-encoding')))
    throw new Problem('unsupportedMediaType', 'Send the file without a content-encoding.')
  if (Number(request.headers.get('content-length')) > maxBytes + MAX_FORM_SIZE) throw tooLarge(maxBytes)
  let size = 0
  const add = async (piece: Uint8Array) => {
    size += piece.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    await onPiece(piece)
  }
  try {
    const body = request.body ?? []
    const uploaded =
      type === MULTIPART
        ? await readForm(body, boundaryOf(parameters), field, add)
        : await readWhole(body, add)
    return { ...uploaded, size }
  } catch (error) {
    throw request.signal.aborted ? new Problem('malformed', 'The body is incomplete.') : error
  }
}

async function readWhole(
  body: Chunks,
  add: (piece: Uint8Array) => Promise<void>,
): Promise<Omit<Upload, 'size'>> {
  for await (const piece of body) await add(piece)
  return { filename: undefined, form: { values: new Map(), isForm: true } }
}

async function readForm(
  body: Chunks,
  boundary: string,
  field: string,
  add: (piece: Uint8Array) => Promise<void>,
): Promise<Omit<Upload, 'size'>> {
  const texts = new Map<string, Uint8Array[]>()
  let filename: string | undefined
  let current: string | undefined
  let textSize = 0
  for await (const event of streamMultipart(body, boundary)) {
    if (!(event instanceof Uint8Array)) {
      current = event.name
      if (current === field) filename = event.filename
      else texts.set(current, [])
    } else if (current === field) await add(event)
    else {
      textSize += event.length
      if (textSize > MAX_FORM_SIZE) throw tooLarge(MAX_FORM_SIZE)
      texts.get(current ?? '')?.push(event)
    }
  }
  const values = new Map([...texts].map(([name, parts]) => [name, decodeUtf8(Buffer.concat(parts), 'form')]))
  return { filename: filename === '' ? undefined : filename, form: { values, isForm: true } }
}
