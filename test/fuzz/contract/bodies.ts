import { Attachment, type Entry, Literal } from './entries.ts'

export const JSON_TYPE = 'application/json'
export const URLENCODED = 'application/x-www-form-urlencoded'
export const MULTIPART = 'multipart/form-data'

/** A body and its content type. */
export interface Encoded {
  readonly type: string
  readonly bytes: Buffer
}

const BOUNDARY = '----corkboard7f3a'

/** Encodes entries in one of the three content types. */
export function encode(media: string, entries: readonly Entry[]): Encoded {
  if (media === URLENCODED) return { type: URLENCODED, bytes: Buffer.from(urlencoded(entries)) }
  if (media === MULTIPART)
    return { type: `${MULTIPART}; boundary=${BOUNDARY}`, bytes: Buffer.concat(entries.map(part).concat(END)) }
  return { type: JSON_TYPE, bytes: Buffer.from(json(entries)) }
}

/** Encodes JSON by hand, because names may repeat and numbers may not exist in JavaScript. */
const json = (entries: readonly Entry[]) =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(value)}`).join(',')}}`

function jsonOf(value: unknown): string {
  if (value instanceof Literal) return value.text
  if (value instanceof Attachment) return JSON.stringify(value.filename)
  return JSON.stringify(value)
}

/** Returns a value as form text. */
export function formText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Literal) return value.text
  if (value instanceof Attachment) return value.filename
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

/** Encodes text with lone surrogates as three bytes each, which are not valid UTF-8. */
function percentEncoded(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text).replaceAll('%20', '+')
    : text
        .replaceAll(/\p{Surrogate}/gu, '%ED%A0%80')
        .replaceAll(/[^A-Za-z0-9%]/gu, char => encodeURIComponent(char))
}

const urlencoded = (entries: readonly Entry[]) =>
  entries.map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(formText(value))}`).join('&')

const END = Buffer.from(`--${BOUNDARY}--\r\n`)

function part([name, value]: Entry): Buffer {
  const isFile = value instanceof Attachment
  const file = isFile ? `; filename="${inQuotes(value.filename)}"\r\nContent-Type: ${value.type}` : ''
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${inQuotes(name)}"${file}\r\n\r\n`
  const content = isFile ? value.bytes : Buffer.from(formText(value))
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n')])
}

/** Escapes a quoted name as browsers do. */
const inQuotes = (text: string) => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
