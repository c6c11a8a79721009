// Forms of words that the Snowball stemmers don't join, but that people use interchangeably when they search for jobs.

/** The endings of English stems for a person and for the activity: analyst and analysis, therapist and therapy. */
const ENGLISH_ENDINGS = /(?<=\p{L}{4})(?:yst|ysi|yt|ist|or|er|ion|e|i)$/u
/** Matches the `t` of *direct*, because the stemmer returns *direc* for *direction*. */
const ENGLISH_T = /(?<=\p{L}{3}c)t$/u
const GERMAN_FEMININE = /(?<=\p{L}{3})in(?:nen)?$/u

/** Returns the part of an English stem that its word family shares. */
export const englishFamily = (stem: string) => stem.replace(ENGLISH_ENDINGS, '').replace(ENGLISH_T, '')

/** Removes the feminine ending of a German word: Entwicklerin, Entwicklerinnen. */
export const withoutFeminineEnding = (word: string) => word.replace(GERMAN_FEMININE, '')

/** Returns the singular of an English plural, or a word that is no plural as it is. It doesn't have to be a correct word. */
export const singularOf = (word: string) =>
  word
    .replace(/ies$/, 'y')
    .replace(/(?<=[sxh])es$/, '')
    .replace(/(?<=..)s$/, '')

const PORTUGUESE_PLURALS: readonly (readonly [ending: RegExp, singular: string])[] = [
  [/(?<=\p{L}{2})(?:oes|aes|aos)$/u, 'ao'],
  [/(?<=\p{L}{2})ns$/u, 'm'],
  [/(?<=\p{L}{2}[aeou])is$/u, 'l'],
]

/** Returns the singular of Portuguese plurals that the stemmer keeps apart when they have no accents: posição, posições. */
export function portugueseSingular(word: string): string {
  const plural = PORTUGUESE_PLURALS.find(([ending]) => ending.test(word))
  return plural ? word.replace(...plural) : word
}
