/** A word of a search, and what else is searched for it. */
export interface QueryWord {
  readonly text: string
  /** Words that match instead: the word joined with its neighbour, or a synonym. */
  readonly alternatives: readonly string[]
  /** Groups of words that match instead, if a job has all words of the group. */
  readonly phrases: readonly (readonly string[])[]
  /** Whether longer words that begin with it match too. */
  readonly isPrefix: boolean
}

/** A word of a search with its matches. */
export interface QueryTerm {
  /** The numbers of the matching terms. */
  readonly numbers: Uint32Array
  /** The weight of each of these terms. */
  readonly weights: Float64Array
  /** Groups of terms that match instead of the word, if a job has all terms of the group. */
  readonly phrases: readonly (readonly QueryTerm[])[]
  /** The number of jobs that match. A job with several matching terms may count several times. */
  readonly frequency: number
  /** The correction, if no job has the word or another form of it. */
  readonly correction: string | undefined
}

/** Returns a word without synonyms or other spellings. */
export const plainWord = (text: string): QueryWord => ({
  text,
  alternatives: [],
  phrases: [],
  isPrefix: false,
})
