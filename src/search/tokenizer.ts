// Splits texts into words, and decides which spellings are the same word, both for jobs and for searches.

/** The maximum length of a word. The rest of a longer one is ignored. */
const MAX_WORD_LENGTH = 40
/** The maximum number of parts of a compound that is also one word: `e-mail`, `Node.js`, but not `state-of-the-art`. */
const MAX_COMPOUND_PARTS = 3

// Scripts that are written without spaces, and Hangul, which attaches particles to words.
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const UNSPACED = String.raw`[[${SCRIPTS.map(name => `\\p{scx=${name}}`).join('')}]&&[\p{L}\p{M}]]`
const LETTER = String.raw`[[\p{L}\p{N}\p{M}]--${UNSPACED}]`
const JOINER = String.raw`['’‐.&\-]`
// The signs in names such as C++, C# and F#.
const SIGN = String.raw`\+\+|#(?!${LETTER})`

const RUN = new RegExp(`${UNSPACED}+|${LETTER}+(?:${JOINER}${LETTER}+)*(?:${SIGN})?`, 'gv')
const BEGINS_UNSPACED = new RegExp(`^${UNSPACED}`, 'v')
const JOINERS = new RegExp(JOINER, 'v')

// Signs that compatibility normalization would turn into letters, and the end of a sentence without a space after it.
const BREAK = /[™℠]|\.(?=\p{Lu}\p{Ll})/gu
// Accents to remove. The voicing marks of kana are excluded, because with them it is a different letter.
const ACCENT = /[[[\p{Mn}\p{Me}]&&[\p{Script=Inherited}\p{Script=Hebrew}]]--[\u3099\u309a]]|\p{Cf}/gv

/** Letters that are not normalized by removing accents and case, each followed by its replacement. */
const REPLACEMENTS = new Map(
  ['ß ss', 'ς σ', 'ı i', 'æ ae', 'œ oe', 'ø o', 'ł l', 'đ d', 'ð d', 'þ th', 'ħ h', 'ŧ t'].map(pair => {
    const [letter = '', plain = ''] = pair.split(' ')
    return [letter, plain]
  }),
)
const SPECIAL_LETTER = new RegExp(`[${[...REPLACEMENTS.keys()].join('')}]`, 'g')

/** A word of a search. */
export interface QueryToken {
  readonly text: string
  /** The compound that contains it, written as one word, which matches too: `email` for `e` and `mail`. */
  readonly compound: string | undefined
}

/** The classes of characters in a text: of ASCII and the no-break space. All others may be part of a word in some way. */
const [OTHER, LETTER_OR_DIGIT, SEPARATOR, FULL_STOP] = [0, 1, 2, 3]
const CLASSES = Uint8Array.from({ length: 0xa1 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[A-Za-z0-9]/.test(character)) return LETTER_OR_DIGIT
  if (character === '.') return FULL_STOP
  return /[\s!"$%()*,/:;<=>?@[\\\]_`{|}~]/.test(character) ? SEPARATOR : OTHER
})

const classAt = (text: string, at: number) => CLASSES[text.charCodeAt(at)] ?? OTHER

/**
 * Splits a text at white space and signs where no word continues.
 * @param visit called for each piece with its start and end, and whether it is one word of ASCII letters and digits. It
 * returns whether to continue
 */
export function forEachPiece(
  text: string,
  visit: (start: number, end: number, isWord: boolean) => boolean,
): void {
  const { length } = text
  for (let at = 0; at < length; at++) {
    if (classAt(text, at) >= SEPARATOR) continue
    const start = at
    let end = at
    let isWord = true
    for (; at < length; at++) {
      const found = classAt(text, at)
      if (found === SEPARATOR) break
      if (found === FULL_STOP) continue
      // A full stop at the end of a word is not part of it.
      if (found !== LETTER_OR_DIGIT || end < at) isWord = false
      end = at + 1
    }
    if (!visit(start, end, isWord && end - start <= MAX_WORD_LENGTH)) return
  }
}

/**
 * Returns the words of a piece of text. A compound gives its parts and the whole (`front-end`: front, end, frontend). A
 * script without spaces gives its characters and their pairs, so that a search finds words anywhere in a sentence.
 */
export const wordsOf = (piece: string): string[] =>
  runsIn(piece).flatMap(run =>
    isUnspaced(run) ? unigramsAndBigramsOf([...run]) : [...partsOf(run), ...compoundOf(run)],
  )

/** Returns the words of a search, in order. */
export function tokenizeQuery(search: string): QueryToken[] {
  return runsIn(search).flatMap(run => {
    if (isUnspaced(run)) return searchedGramsOf([...run]).map(text => ({ text, compound: undefined }))
    const [compound] = compoundOf(run)
    return partsOf(run).map(text => ({ text, compound }))
  })
}

/** Removes case, accents and ligatures, and splits the text where no word continues. */
const runsIn = (text: string): readonly string[] =>
  text
    .replace(BREAK, ' ')
    .normalize('NFKD')
    .replace(ACCENT, '')
    .toLowerCase()
    .replace(SPECIAL_LETTER, letter => REPLACEMENTS.get(letter) ?? letter)
    .normalize('NFC')
    .match(RUN) ?? []

const isUnspaced = (run: string) => BEGINS_UNSPACED.test(run)

const partsOf = (run: string) => run.split(JOINERS).map(truncate)

/** Returns a compound as one word, if it is one. Numbers with a sign between them are not. */
function compoundOf(run: string): readonly string[] {
  const parts = run.split(JOINERS)
  const whole = parts.join('')
  const isCompound =
    parts.length > 1 &&
    parts.length <= MAX_COMPOUND_PARTS &&
    whole.length <= MAX_WORD_LENGTH &&
    /\D/.test(whole)
  return isCompound ? [whole] : []
}

const bigramsOf = (letters: readonly string[]) =>
  letters.slice(1).map((letter, before) => `${letters[before]}${letter}`)

/** Returns each character followed by the pair that it ends, so that the first words are from the beginning of the text. */
const unigramsAndBigramsOf = (letters: readonly string[]) =>
  letters.flatMap((letter, at) => (at === 0 ? [letter] : [letter, `${letters[at - 1]}${letter}`]))

const searchedGramsOf = (letters: readonly string[]) => (letters.length > 1 ? bigramsOf(letters) : letters)

const truncate = (word: string) =>
  word.length > MAX_WORD_LENGTH ? [...word].slice(0, MAX_WORD_LENGTH).join('') : word
