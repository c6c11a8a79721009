import { type QueryToken, tokenizeQuery } from './tokenizer.ts'
import { PREFIX_LETTERS, type Vocabulary } from './vocabulary.ts'

/** Of a search with more words than this the rarest count. */
const MOST_WORDS = 8
const SLIP_LETTERS = 4

/** A word of a search, with what it matches. */
export interface QueryTerm extends QueryToken {
  /** Whether some job has the word itself. */
  readonly known: boolean
  /** Words that begin with it match too. */
  readonly prefix: boolean
  /** Whether it is the beginning of some word, looked at only for a word that is not known. */
  readonly begun: boolean
  /** Words of the jobs that are one slip away, if it is not known. */
  readonly typoMatches: readonly string[]
  /** Finds all words of the jobs that match it, each once. */
  readonly matches: () => readonly string[]
  /**
   * In how many jobs it is, or what stands for it if it is not known; a job with several of its matches may count several
   * times.
   */
  readonly jobs: number
}

/** The words of a search that count, rarest first. */
export function parseQueryTerms(search: string, vocabulary: Vocabulary): QueryTerm[] {
  const asked = tokenizeQuery(search)
  const last = asked.at(-1)?.text
  return asked
    .filter(({ text }, at) => asked.findIndex(other => other.text === text) === at)
    .map(word => wanted(word, word.text === last, vocabulary))
    .toSorted((a, b) => rarity(a) - rarity(b))
    .slice(0, MOST_WORDS)
}

function wanted({ text, compound }: QueryToken, isLast: boolean, vocabulary: Vocabulary): QueryTerm {
  const itself = compound === undefined ? [text] : [text, compound]
  const known = itself.some(word => vocabulary.jobsWith(word) > 0)
  const length = [...text].length
  const prefix = isLast && length >= PREFIX_LETTERS
  const begun = !known && prefix && vocabulary.startingWith(text).length > 0
  const slips = !known && length >= SLIP_LETTERS ? vocabulary.wordsOneEditFrom(text) : []
  const matches = () => [...new Set([...itself, ...(prefix ? vocabulary.startingWith(text) : []), ...slips])]
  const jobs = (known ? itself : matches()).reduce((sum, word) => sum + vocabulary.jobsWith(word), 0)
  return { text, compound, known, prefix, begun, typoMatches: slips, matches, jobs }
}

/** A word that nothing matches tells no jobs apart: it is the first to be left out, not the rarest. */
const rarity = ({ jobs }: QueryTerm) => (jobs > 0 ? jobs : Number.MAX_SAFE_INTEGER)
