import type { InvertedIndex } from './invertedIndex.ts'
import { isSmallWord } from './languages.ts'
import type { QueryTerm, QueryWord } from './queryTerm.ts'
import type { Synonyms } from './synonyms.ts'
import { TermFinder } from './termFinder.ts'
import { type QueryToken, tokenizeQuery } from './tokenizer.ts'
import { PREFIX_LETTERS } from './vocabulary.ts'

/** Of a search with more words than this the rarest count. */
const MOST_TERMS = 8
/** Words that are looked at. A search has room for 128 of two letters. */
const MOST_WORDS = 64
/** The share of jobs that have a small word. One that fewer have is a name, or a word of another language. */
const SMALL_SHARE = 0.05

/** What a search looks for. */
export interface Query {
  /** Rarest first. */
  readonly terms: readonly QueryTerm[]
  /** Small words, which a job need not have. */
  readonly optional: readonly QueryTerm[]
  /** The search as it was understood, if that is not as it was written. */
  readonly corrected: string | undefined
}

/** The words of a search that count. */
export function parseQuery(search: string, index: InvertedIndex, synonyms: Synonyms): Query {
  const finder = new TermFinder(index)
  const tokens = tokenizeQuery(search).slice(0, MOST_WORDS)
  const words = joinNeighbours(tokens, finder)
  const expanded = synonyms.expand(words.map(toWord))
  const { deciding, small } = parted(distinct(expanded), index, finder)
  const found = likelyToCount(deciding, finder).map(word => ({ word, term: finder.find(word) }))
  const corrections = new Map(found.map(({ word, term }) => [word.text, term.correction]))
  const isCorrected = found.some(({ term }) => term.correction !== undefined)
  const corrected = expanded.map(({ text }) => corrections.get(text) ?? text).join(' ')
  const terms = found.map(({ term }) => term).toSorted((a, b) => rarity(a) - rarity(b))
  return {
    terms: terms.slice(0, MOST_TERMS),
    optional: small.slice(0, MOST_TERMS).map(word => finder.exact(word.text)),
    corrected: isCorrected ? corrected : undefined,
  }
}

interface Token extends QueryToken {
  readonly joined: string | undefined
}

/** Notes of two neighbours that some job has them as one word, if that is the likelier way to write them. */
function joinNeighbours(tokens: readonly QueryToken[], finder: TermFinder): Token[] {
  const joins = tokens.map((token, at) => {
    const next = tokens[at + 1]
    if (!next) return undefined
    const joined = token.text + next.text
    const rarer = Math.min(finder.jobsWith(token.text), finder.jobsWith(next.text))
    return finder.jobsWith(joined) > rarer ? joined : undefined
  })
  return tokens.map((token, at) => ({ ...token, joined: joins[at] ?? joins[at - 1] }))
}

const toWord = ({ text, compound, joined }: Token, at: number, all: readonly Token[]): QueryWord => ({
  text,
  others: [compound, joined].filter(word => word !== undefined),
  phrases: [],
  isPrefix: at === all.length - 1 && [...text].length >= PREFIX_LETTERS,
})

const distinct = (words: readonly QueryWord[]) =>
  words.filter(({ text }, at) => words.findIndex(other => other.text === text) === at)

/** Parts the small words, which say nothing of what is looked for, from the others; if there are others. */
function parted(words: readonly QueryWord[], index: InvertedIndex, finder: TermFinder) {
  const languages = index.vocabulary.allLanguages
  const isSmall = ({ text, others }: QueryWord) => {
    const jobs = finder.jobsWith(text)
    const isCommon = jobs === 0 || jobs >= index.size * SMALL_SHARE
    return isCommon && others.length === 0 && isSmallWord(text, languages)
  }
  const deciding = words.filter(word => !isSmall(word))
  return deciding.length > 0 ? { deciding, small: words.filter(isSmall) } : { deciding: words, small: [] }
}

/** The rarest words, as a search may have fifty; and those that no job has, which may match rare ones. */
function likelyToCount(words: readonly QueryWord[], finder: TermFinder): readonly QueryWord[] {
  if (words.length <= MOST_TERMS) return words
  const jobs = new Map(words.map(word => [word, finder.jobsWithAny(word)]))
  const known = words.filter(word => jobs.get(word) !== 0)
  const rarest = known.toSorted((a, b) => (jobs.get(a) ?? 0) - (jobs.get(b) ?? 0)).slice(0, MOST_TERMS)
  return words.filter(word => jobs.get(word) === 0 || rarest.includes(word))
}

/** A word that nothing matches tells no jobs apart: it is the first to be left out, not the rarest. */
const rarity = ({ jobs }: QueryTerm) => (jobs > 0 ? jobs : Number.MAX_SAFE_INTEGER)
