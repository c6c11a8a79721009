/** How people write a word otherwise than a posting does. Words are in lower case, without accents. */
import { pick } from './random.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** The fewest letters that each part of a word has that is cut in two. */
const PART = 3

/** One letter wrong, missing or too many, or two neighbours swapped. */
export function slip(word: string, random: () => number): string {
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

/** The plural of a singular, the singular of a plural, as English makes them. */
export const inflect = (word: string) => firstOf(NUMBERS, word)

// Each reads in both directions
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

/** Another word of the same family (manager, managing), chosen among those that some rule makes and that are words. */
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

/** A space where none belongs. */
export function cutInTwo(word: string, random: () => number): string {
  const at = PART + Math.floor(random() * (word.length - 2 * PART + 1))
  return `${word.slice(0, at)} ${word.slice(at)}`
}

/** Two neighbours of a title that are both asked for, without the space between. */
export function glue(
  words: readonly string[],
  title: readonly string[],
  random: () => number,
): string | undefined {
  const pairs = title.slice(1).flatMap((word, before) => {
    const pair = [title[before] ?? '', word]
    return pair.every(one => one.length >= PART && words.includes(one)) ? [pair] : []
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
