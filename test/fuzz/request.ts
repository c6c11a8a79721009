/** A request as it goes over the wire. */
export interface Raw {
  readonly method: string
  /** Path and query, a character for each byte. */
  readonly target: string
  /** Each a character for each byte; a name may come twice. */
  readonly headers: readonly Header[]
  readonly body?: Uint8Array | undefined
}

export type Header = readonly [name: string, value: string]

export const headerOf = ({ headers }: Pick<Raw, 'headers'>, name: string) =>
  headers.find(([other]) => other.toLowerCase() === name)?.[1]

/** What curl says of itself if it is not told not to. */
const UNASKED = ['accept', 'user-agent', 'content-type']

/**
 * A request as a command for bash, which sends it to a board at `$BOARD`. What a shell can't hold goes through base64,
 * and what is no ASCII through escapes.
 */
export function curl(request: Raw): string {
  const { method, target, headers, body } = request
  const said = headers.map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`)
  const unsaid = UNASKED.filter(name => headerOf(request, name) === undefined).map(name => `-H '${name}:'`)
  const verb = method === 'HEAD' ? '-I' : `-X ${quoted(method)}`
  const words = ['curl -sS -i', verb, ...said, ...unsaid, `--request-target ${quoted(target)}`]
  if (!body || body.length === 0) return [...words, '"$BOARD"'].join(' ')
  const text = Buffer.from(body).toString()
  if (Buffer.from(text).equals(body) && /^[^\p{Cc}\ufffe\uffff]*$/u.test(text.replaceAll('\n', '')))
    return [...words, `--data-raw ${plain(text)}`, '"$BOARD"'].join(' ')
  const base64 = Buffer.from(body).toString('base64')
  return `base64 -d <<< ${base64} | ${words.join(' ')} --data-binary @- "$BOARD"`
}

const plain = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A text of bytes between quotes. */
function quoted(bytes: string): string {
  if (/^[ -~]*$/.test(bytes)) return plain(bytes)
  const escaped = bytes.replaceAll(
    /[^ -~]|['\\]/g,
    char => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `$'${escaped}'`
}
