/** A request as it is sent. */
export interface Raw {
  readonly method: string
  /** Path and query, one character for each byte. */
  readonly target: string
  /** The headers, one character for each byte. Names may repeat. */
  readonly headers: readonly Header[]
  readonly body?: Uint8Array | undefined
}

export type Header = readonly [name: string, value: string]

export const headerOf = ({ headers }: Pick<Raw, 'headers'>, name: string) =>
  headers.find(([other]) => other.toLowerCase() === name)?.[1]

/** Headers that curl sends by default. */
const CURL_DEFAULTS = ['accept', 'user-agent', 'content-type']

/**
 * Returns a bash command that sends a request to a board at `$BOARD`. Bodies that a shell can't hold are base64,
 * and non-ASCII text is escaped.
 */
export function curl(request: Raw): string {
  const { method, target, headers, body } = request
  const headerFlags = headers.map(
    ([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
  )
  const defaultFlags = CURL_DEFAULTS.filter(name => headerOf(request, name) === undefined).map(
    name => `-H '${name}:'`,
  )
  const verb = method === 'HEAD' ? '-I' : `-X ${quoted(method)}`
  const words = ['curl -sS -i', verb, ...headerFlags, ...defaultFlags, `--request-target ${quoted(target)}`]
  if (!body || body.length === 0) return [...words, '"$BOARD"'].join(' ')
  const text = Buffer.from(body).toString()
  if (Buffer.from(text).equals(body) && /^[^\p{Cc}\ufffe\uffff]*$/u.test(text.replaceAll('\n', '')))
    return [...words, `--data-raw ${plain(text)}`, '"$BOARD"'].join(' ')
  const base64 = Buffer.from(body).toString('base64')
  return `base64 -d <<< ${base64} | ${words.join(' ')} --data-binary @- "$BOARD"`
}

const plain = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Quotes a text of bytes for a shell. */
function quoted(bytes: string): string {
  if (/^[ -~]*$/.test(bytes)) return plain(bytes)
  const escaped = bytes.replaceAll(
    /[^ -~]|['\\]/g,
    char => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `$'${escaped}'`
}
