/** The ways in which people misspell or inflect a word. Words are in lower case, without accents. */
import { pick } from './random.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** The minimum length of each part of a word that is split. */
const MIN_PART_LENGTH = 3

/** Returns a word with one letter wrong, missing or extra, or two neighbours swapped. */
export function typo(word: string, random: () => number): string {
  const at = Math.floor(random() * (word.length - 1))
  const [before, after] = [word.slice(0, at), word.slice(at + 1)]
  const letter = pick([...LETTERS], random)
  return pick(
    [
      before + letter + after,
      before + after,
      before + letter + word.slice(at),
      before + word[at + 1] + word[at] + word.slice(at + 2),
    ],
    random,
  )
}

type Rule = readonly [ending: RegExp, other: string]

const NUMBERS: readonly Rule[] = [
  [/([^aeiou])ies$/, '$1y'],
  [/(ss|sh|ch|x)es$/, '$1'],
  [/([^su])s$/, '$1'],
  [/([^aeiou])y$/, '$1ies'],
  [/(s|sh|ch|x)$/, '$1es'],
  [/$/, 's'],
]

/** Returns the plural of an English singular, or the singular of a plural. */
export const inflect = (word: string) => firstOf(NUMBERS, word)

// Each works in both directions.
const FORMS: readonly (readonly [string, string])[] = [
  ['yst', 'ysis'],
  ['ator', 'ation'],
  ['ctor', 'cting'],
  ['isor', 'ision'],
  ['ment', 'ing'],
  ['ement', 'er'],
  ['ant', 'ing'],
  ['ist', 'y'],
  ['er', 'ing'],
  ['er', 'ement'],
  ['or', 'ing'],
  ['er', ''],
  ['ing', ''],
  ['ment', ''],
  ['al', ''],
  ['ed', 'ing'],
  ['tive', 'tion'],
  ['ical', 'ic'],
]
const FORM_RULES: readonly Rule[] = FORMS.flatMap(([one, other]): Rule[] => [
  [new RegExp(`(?<=\\w{4})${one}$`), other],
  [new RegExp(`(?<=\\w{4})${other}$`), one],
])

/** Returns another word of the same family (manager, managing) that some posting has. */
export function otherForm(
  word: string,
  words: ReadonlySet<string>,
  random: () => number,
): string | undefined {
  const forms = FORM_RULES.filter(([ending]) => ending.test(word))
    .map(([ending, other]) => word.replace(ending, other))
    .filter(form => words.has(form))
  return forms.length > 0 ? pick(forms, random) : undefined
}

/** Returns a word with a space in it. */
export function split(word: string, random: () => number): string {
  const at = MIN_PART_LENGTH + Math.floor(random() * (word.length - 2 * MIN_PART_LENGTH + 1))
  return `${word.slice(0, at)} ${word.slice(at)}`
}

/** Returns the query with two neighbouring words of the title written as one. */
export function joinWords(
  words: readonly string[],
  title: readonly string[],
  random: () => number,
): string | undefined {
  const pairs = title.slice(1).flatMap((word, before) => {
    const pair = [title[before] ?? '', word]
    return pair.every(one => one.length >= MIN_PART_LENGTH && words.includes(one)) ? [pair] : []
  })
  if (pairs.length === 0) return undefined
  const [first = '', second = ''] = pick(pairs, random)
  return words
    .filter(word => word !== second)
    .map(word => (word === first ? first + second : word))
    .join(' ')
}

function firstOf(rules: readonly Rule[], word: string): string | undefined {
  const rule = rules.find(([ending]) => ending.test(word))
  return rule && word.replace(rule[0], rule[1])
}
