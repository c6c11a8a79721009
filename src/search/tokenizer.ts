// How texts are cut into words, and when two spellings are one word: for jobs and searches alike

/** Letters that a word may have; the rest of a longer one is left out. */
const LONGEST = 40
/** Parts that a compound may have to be known as one word too: `e-mail`, `Node.js`, but not `state-of-the-art`. */
const MOST_PARTS = 3

// Scripts that are written without spaces, and Hangul, which glues its particles to the words
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const UNSPACED = String.raw`[[${SCRIPTS.map(name => `\\p{scx=${name}}`).join('')}]&&[\p{L}\p{M}]]`
const LETTER = String.raw`[[\p{L}\p{N}\p{M}]--${UNSPACED}]`
const JOINER = String.raw`['’‐.&\-]`
// What belongs to the name of C++, C# and F#
const SIGN = String.raw`\+\+|#(?!${LETTER})`

const RUN = new RegExp(`${UNSPACED}+|${LETTER}+(?:${JOINER}${LETTER}+)*(?:${SIGN})?`, 'gv')
const BEGINS_UNSPACED = new RegExp(`^${UNSPACED}`, 'v')
const JOINERS = new RegExp(JOINER, 'v')

// Signs that compatibility would turn into letters of the word before, and the end of a sentence without its space
const BREAK = /[™℠]|\.(?=\p{Lu}\p{Ll})/gu
// Marks that alter no letter of their own script; the voicing marks of kana make another letter
const ACCENT = /[[[\p{Mn}\p{Me}]&&[\p{Script=Inherited}\p{Script=Hebrew}]]--[\u3099\u309a]]|\p{Cf}/gv

/** Letters that neither their accent nor their case tells from others, each before what it is read as. */
const PLAIN = new Map(
  ['ß ss', 'ς σ', 'ı i', 'æ ae', 'œ oe', 'ø o', 'ł l', 'đ d', 'ð d', 'þ th', 'ħ h', 'ŧ t'].map(pair => {
    const [letter = '', plain = ''] = pair.split(' ')
    return [letter, plain]
  }),
)
const SPECIAL = new RegExp(`[${[...PLAIN.keys()].join('')}]`, 'g')

/** A word of a search. */
export interface QueryToken {
  readonly text: string
  /** The compound that it is a part of, written as one word, which does as well: `email` for `e` and `mail`. */
  readonly compound: string | undefined
}

/** White space and signs, which no word goes across, with the full stops around them. */
const GAP = /\.*[\s!"$%()*,/:;<=>?@[\\\]_`{|}~]+\.*/

/** Cuts a text where no word goes on. Most of the pieces are words, and come again in other texts. */
export const piecesOf = (text: string): string[] => text.split(GAP)

/**
 * Returns the words of a piece of a text. A compound gives its parts and itself (`front-end`: front, end, frontend);
 * a script without spaces its letters and their pairs, so that a search finds what stands anywhere in a sentence.
 */
export const wordsOf = (piece: string): string[] =>
  runsIn(piece).flatMap(run =>
    isUnspaced(run) ? lettersAndPairsOf([...run]) : [...partsOf(run), ...compoundOf(run)],
  )

/** The words of a search, in its order. */
export function tokenizeQuery(search: string): QueryToken[] {
  return runsIn(search).flatMap(run => {
    if (isUnspaced(run)) return soughtOf([...run]).map(text => ({ text, compound: undefined }))
    const [compound] = compoundOf(run)
    return partsOf(run).map(text => ({ text, compound }))
  })
}

/** A text without case, accents and ligatures, cut where no word goes on. */
const runsIn = (text: string): readonly string[] =>
  text
    .replace(BREAK, ' ')
    .normalize('NFKD')
    .replace(ACCENT, '')
    .toLowerCase()
    .replace(SPECIAL, letter => PLAIN.get(letter) ?? letter)
    .normalize('NFC')
    .match(RUN) ?? []

const isUnspaced = (run: string) => BEGINS_UNSPACED.test(run)

const partsOf = (run: string) => run.split(JOINERS).map(cut)

/** The compound as one word, if it is one; numbers with a sign between them are none. */
function compoundOf(run: string): readonly string[] {
  const parts = run.split(JOINERS)
  const whole = parts.join('')
  const isOne = parts.length > 1 && parts.length <= MOST_PARTS && whole.length <= LONGEST && /\D/.test(whole)
  return isOne ? [whole] : []
}

const pairsOf = (letters: readonly string[]) =>
  letters.slice(1).map((letter, before) => `${letters[before]}${letter}`)

/** Each letter beside the pair that it ends, so that the first words of a text are of its beginning. */
const lettersAndPairsOf = (letters: readonly string[]) =>
  letters.flatMap((letter, at) => (at === 0 ? [letter] : [letter, `${letters[at - 1]}${letter}`]))

const soughtOf = (letters: readonly string[]) => (letters.length > 1 ? pairsOf(letters) : letters)

const cut = (word: string) => (word.length > LONGEST ? [...word].slice(0, LONGEST).join('') : word)
