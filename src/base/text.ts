import { Problem } from './problem.ts'

// A byte order mark is kept: whoever tolerates one takes it off
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const notUtf8 = (what: string) => new Problem('malformed', `The ${what} is not valid UTF-8.`)

/**
 * Decodes UTF-8.
 * @param what holds the text, such as `body`
 * @throws Problem 'malformed'
 */
export function decodeUtf8(bytes: Uint8Array, what: string): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw notUtf8(what)
  }
}

/** The length of a text in Unicode code points; a lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let count = text.length
  for (let at = 1; at < text.length; at++)
    if (isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1))) count--
  return count
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** Whether a value counts as left blank: none, null, or text of white space alone. */
export const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** Whether a text holds what none may: NUL, or half of a surrogate pair. */
export const hasInvalidCharacters = (text: string) => text.includes('\0') || !text.isWellFormed()

// Cc are C0, DEL and C1; the other two end a line just as well
const CONTROL = /[\p{Cc}\u2028\u2029]/u

/** Whether a text holds what a single line may not. */
export const hasControlCharacters = (text: string) => CONTROL.test(text)

// Control characters, what ends a line, and what changes the direction of writing
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+/gu
/** An e-mail address, also as it stands in a URL. The lengths are bounded so that a long text takes linear time. */
const ADDRESS = /[^\s@<>"'()[\],;:/\\=]{1,64}(?:@|%40)[^\s@<>"'()[\],;:/\\]{1,255}/giu
/** What a text without either doesn't have. */
const SUSPICIOUS = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069@]|%40/u

/** Text from outside as a terminal may show it in one line: each run of control characters becomes a space. */
export const printable = (text: string) => text.toWellFormed().replace(UNPRINTABLE, ' ')

/** The same for text of several lines. */
export const printableLines = (text: string) => text.split('\n').map(printable).join('\n')

/** Text from outside as it may be logged or stored with an error: one printable line without e-mail addresses. */
export const loggable = (text: string) =>
  SUSPICIOUS.test(text) ? printable(text).replace(ADDRESS, '[address]') : text
