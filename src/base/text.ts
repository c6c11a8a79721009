import { Problem } from './problem.ts'

// With `ignoreBOM`, a byte order mark is kept. Callers that accept one remove it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const notUtf8 = (what: string) => new Problem('malformed', `The ${what} is not valid UTF-8.`)

/**
 * Decodes UTF-8.
 * @param what names the source of the text in the message, such as `body`
 * @throws Problem 'malformed'
 */
export function decodeUtf8(bytes: Uint8Array, what: string): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw notUtf8(what)
  }
}

/** Returns the length of a text in Unicode code points; a lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let count = text.length
  for (let at = 1; at < text.length; at++)
    if (isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1))) count--
  return count
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** Returns whether a value counts as blank: undefined, null, or text that is only white space. */
export const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** Returns whether a text contains characters that no field may contain: NUL, or half of a surrogate pair. */
export const hasInvalidCharacters = (text: string) => text.includes('\0') || !text.isWellFormed()

// The category Cc is C0, DEL and C1. The other two characters are line separators.
const CONTROL = /[\p{Cc}\u2028\u2029]/u

/** Returns whether a text contains characters that a single line may not contain. */
export const hasControlCharacters = (text: string) => CONTROL.test(text)

// Control characters, line separators, and characters that change the direction of writing.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+/gu
/** An e-mail address, also one in a URL. The lengths are bounded so that a long text takes linear time. */
const ADDRESS = /[^\s@<>"'()[\],;:/\\=]{1,64}(?:@|%40)[^\s@<>"'()[\],;:/\\]{1,255}/giu
/** Matches every text with an unprintable character or an address, and takes little time. */
const SUSPICIOUS = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069@]|%40/u

/** Makes text from outside safe for one line of a terminal: each run of control characters becomes a space. */
export const printable = (text: string) => text.toWellFormed().replace(UNPRINTABLE, ' ')

/** Makes text of several lines safe for a terminal. */
export const printableLines = (text: string) => text.split('\n').map(printable).join('\n')

/** Makes text from outside safe to log, or to store with an error: one printable line without e-mail addresses. */
export const loggable = (text: string) =>
  SUSPICIOUS.test(text) ? printable(text).replace(ADDRESS, '[address]') : text
