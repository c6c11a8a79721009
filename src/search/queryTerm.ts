/** A word as it is looked for. */
export interface QueryWord {
  readonly text: string
  /** What does as well: the word joined with its neighbour, a synonym. */
  readonly others: readonly string[]
  /** Several words that together do as well. */
  readonly phrases: readonly (readonly string[])[]
  /** Whether words that begin with it match too. */
  readonly isPrefix: boolean
}

/** A word of a search, with what it matches. */
export interface QueryTerm {
  /** What each term that matches is worth. */
  readonly values: ReadonlyMap<number, number>
  /** Terms of which a job needs all, in place of the word. */
  readonly phrases: readonly (readonly QueryTerm[])[]
  /** In how many jobs it is, or what stands for it; a job with several of its matches may count several times. */
  readonly jobs: number
  /** What the word was taken for, if no job has it, nor another form of it. */
  readonly correction: string | undefined
}

/** A word that nothing is known of but itself. */
export const plain = (text: string): QueryWord => ({ text, others: [], phrases: [], isPrefix: false })
