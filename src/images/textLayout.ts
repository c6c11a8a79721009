export type Direction = 'ltr' | 'rtl'

const FIRST_LETTER = /\p{L}/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u

/** Returns the direction in which a text is read, determined by its first letter. */
export function directionOf(text: string): Direction {
  const [letter = ''] = FIRST_LETTER.exec(text) ?? []
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
}

/** The writing systems that draw the same Chinese character in different ways. */
export type CjkVariant = 'japanese' | 'korean' | 'simplified' | 'traditional'

const HAN = /\p{Script=Han}/gu

/** Returns how to draw a text's Chinese characters, judging by its other scripts, or by the characters themselves. */
export function cjkVariantOf(text: string): CjkVariant {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'japanese'
  if (/\p{Script=Hangul}/u.test(text)) return 'korean'
  const characters = text.match(HAN) ?? []
  if (characters.length === 0) return 'japanese'
  if (characters.every(character => gb2312().has(character))) return 'simplified'
  return characters.every(character => big5().has(character)) ? 'traditional' : 'japanese'
}

const gb2312 = lazy(() => charactersOf('gb2312', 0xb0, 0xf7))
const big5 = lazy(() => charactersOf('big5', 0xa4, 0xf9))

/** Returns the two-byte characters of an encoding whose first byte is in the range. */
function charactersOf(encoding: 'gb2312' | 'big5', first: number, last: number): Set<string> {
  const decoder = new TextDecoder(encoding)
  const characters = new Set<string>()
  for (let lead = first; lead <= last; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++)
      if (encoding === 'big5' || trail > 0xa0) characters.add(decoder.decode(Uint8Array.of(lead, trail)))
  return characters
}

/** Computes a value at the first call. */
function lazy<T>(compute: () => T): () => T {
  let value: T | undefined
  return () => (value ??= compute())
}

/** Matches scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const BEGINS_NO_LINE = /^[\p{Pe}\p{Pf}\p{Po}\p{Lm}\p{M}\s]/u
const ENDS_NO_LINE = /[\p{Ps}\p{Pi}\s]$/u
const BREAK = '\u200b'

const words = new Intl.Segmenter('und', { granularity: 'word' })

/**
 * Inserts a zero-width space wherever a line may break in text without spaces, so that it breaks nowhere else. A dash
 * between spaces stays on the line of the words before it.
 */
export function withBreaks(text: string): string {
  const glued = text.normalize().replaceAll(/ (?=[-–—|/&+·•:] )/g, '\u00a0')
  if (!UNSPACED.test(glued)) return glued
  let broken = ''
  for (const { segment } of words.segment(glued))
    broken += BEGINS_NO_LINE.test(segment) || ENDS_NO_LINE.test(broken) ? segment : BREAK + segment
  return broken
}
