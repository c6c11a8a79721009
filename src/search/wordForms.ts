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
