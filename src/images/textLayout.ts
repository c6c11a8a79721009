export type Direction = 'ltr' | 'rtl'

const FIRST_LETTER = /\p{L}/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u

/** The direction that a text is read in, which its first letter tells. */
export function directionOf(text: string): Direction {
  const [letter = ''] = FIRST_LETTER.exec(text) ?? []
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
}

/** One character is drawn in different ways in these, which no character tells by itself. */
export type CjkVariant = 'japanese' | 'korean' | 'simplified' | 'traditional'

const HAN = /\p{Script=Han}/gu

/** The hand in which Chinese characters are to be drawn: that of the other writing beside them, or what can write all of them. */
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

/** The characters that an encoding writes as two bytes, of which the first is in this range. */
function charactersOf(encoding: 'gb2312' | 'big5', first: number, last: number): Set<string> {
  const decoder = new TextDecoder(encoding)
  const characters = new Set<string>()
  for (let lead = first; lead <= last; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++)
      if (encoding === 'big5' || trail > 0xa0) characters.add(decoder.decode(Uint8Array.of(lead, trail)))
  return characters
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const BEGINS_NO_LINE = /^[\p{Pe}\p{Pf}\p{Po}\p{Lm}\p{M}\s]/u
const ENDS_NO_LINE = /[\p{Ps}\p{Pi}\s]$/u
const BREAK = '\u200b'

const words = new Intl.Segmenter('und', { granularity: 'word' })

/**
 * The text with a mark wherever a line may end within what has no spaces; nothing else there may break it. A dash between
 * spaces stays with the words before it.
 */
export function withBreaks(text: string): string {
  const glued = text.normalize().replaceAll(/ (?=[-–—|/&+·•:] )/g, '\u00a0')
  if (!UNSPACED.test(glued)) return glued
  let broken = ''
  for (const { segment } of words.segment(glued))
    broken += BEGINS_NO_LINE.test(segment) || ENDS_NO_LINE.test(broken) ? segment : BREAK + segment
  return broken
}
