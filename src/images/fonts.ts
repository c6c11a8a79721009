import cyrillicMore from '@fontsource-variable/inter/files/inter-cyrillic-ext-wght-normal.woff2' with { type: 'file' }
import cyrillic from '@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2' with { type: 'file' }
import greekMore from '@fontsource-variable/inter/files/inter-greek-ext-wght-normal.woff2' with { type: 'file' }
import greek from '@fontsource-variable/inter/files/inter-greek-wght-normal.woff2' with { type: 'file' }
import latinMore from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2' with { type: 'file' }
import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2' with { type: 'file' }
import vietnamese from '@fontsource-variable/inter/files/inter-vietnamese-wght-normal.woff2' with { type: 'file' }
import arabic from '@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.woff2' with { type: 'file' }
import devanagari from '@fontsource-variable/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-wght-normal.woff2' with { type: 'file' }
import hebrew from '@fontsource-variable/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-wght-normal.woff2' with { type: 'file' }
import emoji from '@fontsource/noto-emoji/files/noto-emoji-emoji-600-normal.woff2' with { type: 'file' }
import japanese from '../assets/fonts/noto-sans-jp.woff2' with { type: 'file' }
import korean from '../assets/fonts/noto-sans-kr.woff2' with { type: 'file' }
import simplified from '../assets/fonts/noto-sans-sc.woff2' with { type: 'file' }
import traditional from '../assets/fonts/noto-sans-tc.woff2' with { type: 'file' }
import { type CjkVariant, cjkVariantOf } from './textLayout.ts'

/** A font file, which is loaded when a text first needs it. */
interface Font {
  readonly path: string
  /** Matches the texts that need the font. The font may lack some of their characters. */
  readonly needed: RegExp
}

/** The fonts that come first, in this order. */
const ALPHABETIC_FONTS: readonly Font[] = [
  { path: latin, needed: /./u },
  { path: latinMore, needed: /[\u0100-\u02ff\u1e00-\u1eff\u2000-\u2cff\ua700-\ua7ff]/u },
  { path: vietnamese, needed: /[\u0102\u0103\u0110\u0111\u1ea0-\u1ef9\u20ab]|\p{M}/u },
  { path: greek, needed: /\p{Script=Greek}/u },
  { path: greekMore, needed: /[\u1f00-\u1fff]/u },
  { path: cyrillic, needed: /\p{Script=Cyrillic}|[\u0301\u2116]/u },
  { path: cyrillicMore, needed: /\p{Script=Cyrillic}|[\u20b4\u2de0-\u2dff\ua640-\ua69f]/u },
  { path: arabic, needed: /[\u0600-\u077f\u0870-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/u },
  { path: hebrew, needed: /[\u0590-\u05ff\u20aa\ufb1d-\ufb4f]/u },
  { path: devanagari, needed: /[\u0900-\u097f\u1cd0-\u1cf9\u20b9\ua8e0-\ua8ff]/u },
]

const HAN = /\p{Script=Han}/u

/** The fonts of the variants of Chinese characters. The Japanese one also has arrows, stars and other symbols. */
const CJK_FONTS: Record<CjkVariant, Font> = {
  japanese: { path: japanese, needed: /[\u2010-\u2bff\u3000-\u31ff\uff00-\uffef]|\p{Script=Han}/u },
  korean: { path: korean, needed: /\p{Script=Hangul}/u },
  simplified: { path: simplified, needed: HAN },
  traditional: { path: traditional, needed: HAN },
}

const EMOJI_FONT: Font = { path: emoji, needed: /\p{Extended_Pictographic}|\p{RI}|\u20e3/u }

/** Returns the paths of the fonts that a text needs, in the order in which to look for a character. */
export function fontsFor(text: string): string[] {
  const preferred = CJK_FONTS[cjkVariantOf(text)]
  const others = Object.values(CJK_FONTS).filter(font => font !== preferred)
  return [...ALPHABETIC_FONTS, preferred, ...others, EMOJI_FONT]
    .filter(({ needed }) => needed.test(text))
    .map(({ path }) => path)
}
