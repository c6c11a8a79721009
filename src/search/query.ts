import type { InvertedIndex } from './invertedIndex.ts'
import { isStopWord, languagesWhere } from './languages.ts'
import type { QueryTerm, QueryWord } from './queryTerm.ts'
import type { Synonyms } from './synonyms.ts'
import { TermFinder } from './termFinder.ts'
import { MIN_PREFIX_LENGTH } from './termTree.ts'
import { type QueryToken, tokenizeQuery } from './tokenizer.ts'

/** The maximum number of words that count. Of a longer search, only the rarest do. */
const MAX_QUERY_TERMS = 8
/** The maximum number of words that are read. A search can contain 128 words of one letter. */
const MAX_QUERY_WORDS = 64
/** The share of jobs that have a stop word. One that fewer have may be a name, or a word of another language; */
const STOP_WORD_SHARE = 0.05
/** unless as many jobs as this are in the language in which it is one. */
const LANGUAGE_SHARE = 0.2

/** A parsed search. */
export interface Query {
  /** The words that a job must have, rarest first. */
  readonly terms: readonly QueryTerm[]
  /** The stop words, which count only in titles and companies. */
  readonly optional: readonly QueryTerm[]
  /** The corrected search, if typing errors were corrected. */
  readonly corrected: string | undefined
}

/** Parses a search into the words that count. */
export function parseQuery(search: string, index: InvertedIndex, synonyms: Synonyms): Query {
  const finder = new TermFinder(index)
  const tokens = tokenizeQuery(search).slice(0, MAX_QUERY_WORDS)
  const words = joinNeighbours(tokens, finder)
  const expanded = synonyms.expand(words.map(toWord))
  const { required, stopWords } = separateStopWords(distinct(expanded), index, finder)
  const found = mostSelective(required, finder).map(word => ({ word, term: finder.find(word) }))
  const corrections = new Map(found.map(({ word, term }) => [word.text, term.correction]))
  const isCorrected = found.some(({ term }) => term.correction !== undefined)
  const corrected = expanded.map(({ text }) => corrections.get(text) ?? text).join(' ')
  const terms = found.map(({ term }) => term).toSorted((a, b) => rarity(a) - rarity(b))
  return {
    terms: terms.slice(0, MAX_QUERY_TERMS),
    optional: stopWords.slice(0, MAX_QUERY_TERMS).map(({ text }) => finder.optional(text)),
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
    const rarer = Math.min(finder.frequencyOf(token.text), finder.frequencyOf(next.text))
    return finder.frequencyOf(joined) > rarer ? joined : undefined
  })
  return tokens.map((token, at) => ({ ...token, joined: joins[at] ?? joins[at - 1] }))
}

const toWord = ({ text, compound, joined }: Token, at: number, all: readonly Token[]): QueryWord => ({
  text,
  alternatives: [compound, joined].filter(word => word !== undefined),
  phrases: [],
  isPrefix: at === all.length - 1 && [...text].length >= MIN_PREFIX_LENGTH,
})

const distinct = (words: readonly QueryWord[]) =>
  words.filter(({ text }, at) => words.findIndex(other => other.text === text) === at)

/** Separates the stop words from the other words. If there are no others, the stop words count. */
function separateStopWords(words: readonly QueryWord[], index: InvertedIndex, finder: TermFinder) {
  const all = index.vocabulary.allLanguages
  const main = languagesWhere(word => finder.frequencyOf(word) >= index.size * LANGUAGE_SHARE)
  const isIgnored = ({ text, alternatives }: QueryWord) => {
    if (alternatives.length > 0) return false
    const jobs = finder.frequencyOf(text)
    return isStopWord(text, jobs === 0 || jobs >= index.size * STOP_WORD_SHARE ? all : main)
  }
  const required = words.filter(word => !isIgnored(word))
  return required.length > 0
    ? { required, stopWords: words.filter(isIgnored) }
    : { required: words, stopWords: [] }
}

/** Returns the rarest words, because a search can have many, and those that no job has, which may match rare ones. */
function mostSelective(words: readonly QueryWord[], finder: TermFinder): readonly QueryWord[] {
  if (words.length <= MAX_QUERY_TERMS) return words
  const jobs = new Map(words.map(word => [word, finder.frequencyOfAny(word)]))
  const known = words.filter(word => jobs.get(word) !== 0)
  const rarest = known.toSorted((a, b) => (jobs.get(a) ?? 0) - (jobs.get(b) ?? 0)).slice(0, MAX_QUERY_TERMS)
  return words.filter(word => jobs.get(word) === 0 || rarest.includes(word))
}

/** Returns a number that sorts words by rarity. Words without any match come last, because they don't distinguish jobs. */
const rarity = ({ frequency }: QueryTerm) => (frequency > 0 ? frequency : Number.MAX_SAFE_INTEGER)
