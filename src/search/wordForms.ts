// Forms of words that the Snowball stemmers leave apart, and that people use for one another in a search for a job

/** Endings of English stems that name who does something, and what is done: analyst and analysis, therapist and therapy. */
const ENGLISH_ENDINGS = /(?<=\p{L}{4})(?:yst|ysi|yt|ist|or|er|ion|e|i)$/u
/** The stemmer takes *direction* to *direc*, and *direct* to itself. */
const ENGLISH_T = /(?<=\p{L}{3}c)t$/u
const GERMAN_FEMININE = /(?<=\p{L}{3})in(?:nen)?$/u

/** Takes an English stem to what its family has in common. */
export const englishFamily = (stem: string) => stem.replace(ENGLISH_ENDINGS, '').replace(ENGLISH_T, '')

/** Leaves off the feminine ending of a German word: Entwicklerin, Entwicklerinnen. */
export const feminineless = (word: string) => word.replace(GERMAN_FEMININE, '')
