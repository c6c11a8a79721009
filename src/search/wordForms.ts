// Forms of words that the Snowball stemmers don't join, but that people use interchangeably when they search for jobs.

/**
 * The endings of English stems for a person, for an activity and for its result: analyst and analysis, therapist and
 * therapy, place and placement.
 */
const ENGLISH_ENDINGS = /(?<=\p{L}{4})(?:e?ment|yst|ysi|yt|ist|or|er|ion|e|i)$/u
/** Matches a consonant that is doubled before an ending (planner, controller), but not *sell* or *process*. */
const DOUBLE_CONSONANT = /(?:(?<=\p{L}{2})([bdfgmnprt])(?=\1)|(?<=\p{L}{4})l(?=l)).$/u
/** Matches the nouns from which the stemmer also removes the letter before *ion*: profession, execution, but not operation. */
const ENGLISH_ION = /^(.+(?:s|[^a]t))ions?$/u
const GERMAN_FEMININE = /(?<=\p{L}{3})in(?:nen)?$/u

/** Returns the part of an English word that its family shares, from its stem. */
export function englishFamily(word: string, stem: string): string {
  const [, noun = ''] = ENGLISH_ION.exec(word) ?? []
  const whole = stem.length < noun.length ? noun : stem
  return whole.replace(ENGLISH_ENDINGS, '').replace(DOUBLE_CONSONANT, '$1')
}

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
