import type { InvertedIndex } from './invertedIndex.ts'
import { isSmallWord, languagesBy } from './languages.ts'
import type { QueryTerm, QueryWord } from './queryTerm.ts'
import type { Synonyms } from './synonyms.ts'
import { TermFinder } from './termFinder.ts'
import { type QueryToken, tokenizeQuery } from './tokenizer.ts'
import { PREFIX_LETTERS } from './vocabulary.ts'

/** The maximum number of words that count. Of a longer search, only the rarest do. */
const MOST_TERMS = 8
/** The maximum number of words that are read. A search can contain 128 words of one letter. */
const MOST_WORDS = 64
/** The share of jobs that have a small word. One that fewer have may be a name, or a word of another language; */
const SMALL_SHARE = 0.05
/** unless as many jobs as this are in the language in which it is small. */
const LANGUAGE_SHARE = 0.2

/** A parsed search. */
export interface Query {
  /** The words that a job must have, rarest first. */
  readonly terms: readonly QueryTerm[]
  /** The small words, which are optional. */
  readonly optional: readonly QueryTerm[]
  /** The corrected search, if typing errors were corrected. */
  readonly corrected: string | undefined
}

/** Parses a search into the words that count. */
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

/** Adds the joined form to two neighbouring words, if some job has it and it is the likelier spelling. */
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

/** Separates the small words from the others. If there are no others, the small words count. */
function parted(words: readonly QueryWord[], index: InvertedIndex, finder: TermFinder) {
  const all = index.vocabulary.allLanguages
  const main = languagesBy(word => finder.jobsWith(word) >= index.size * LANGUAGE_SHARE)
  const isSmall = ({ text, others }: QueryWord) => {
    if (others.length > 0) return false
    const jobs = finder.jobsWith(text)
    return isSmallWord(text, jobs === 0 || jobs >= index.size * SMALL_SHARE ? all : main)
  }
  const deciding = words.filter(word => !isSmall(word))
  return deciding.length > 0 ? { deciding, small: words.filter(isSmall) } : { deciding: words, small: [] }
}

/** Returns the rarest words, because a search can have many, and those that no job has, which may match rare ones. */
function likelyToCount(words: readonly QueryWord[], finder: TermFinder): readonly QueryWord[] {
  if (words.length <= MOST_TERMS) return words
  const jobs = new Map(words.map(word => [word, finder.jobsWithAny(word)]))
  const known = words.filter(word => jobs.get(word) !== 0)
  const rarest = known.toSorted((a, b) => (jobs.get(a) ?? 0) - (jobs.get(b) ?? 0)).slice(0, MOST_TERMS)
  return words.filter(word => jobs.get(word) === 0 || rarest.includes(word))
}

/** Returns a number that sorts words by rarity. Words without any match come last, because they don't distinguish jobs. */
const rarity = ({ jobs }: QueryTerm) => (jobs > 0 ? jobs : Number.MAX_SAFE_INTEGER)
