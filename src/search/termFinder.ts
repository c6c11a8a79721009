import type { InvertedIndex } from './invertedIndex.ts'
import {
  COMPOUND_WEIGHT,
  KNOWN_PREFIX_WEIGHT,
  ONE_TYPO_WEIGHT,
  PREFIX_TYPO_WEIGHT,
  PREFIX_WEIGHT,
  STEM_WEIGHT,
  TWO_TYPOS_WEIGHT,
  UNKNOWN_STEM_WEIGHT,
} from './matchWeights.ts'
import { plainWord, type QueryTerm, type QueryWord } from './queryTerm.ts'

/** The minimum lengths of words with one and with two typing errors. */
const MIN_ONE_TYPO_LENGTH = 4
const MIN_TWO_TYPOS_LENGTH = 8
/** The maximum length of words with two typing errors. Longer words take longer to correct. */
const MAX_TWO_TYPOS_LENGTH = 16
/**
 * The maximum numbers of words in a search that are corrected, and of those with two typing errors. A search can contain
 * fifty unknown words, and correcting two errors takes 5 ms with 40,000 terms.
 */
const MAX_CORRECTIONS = 8
const MAX_TWO_TYPO_CORRECTIONS = 1
/** The minimum length of both parts of a word that is split. */
const MIN_PART_LENGTH = 3

/** Finds the terms that match the words of one search. */
export class TermFinder {
  /** The numbers of words that may still be corrected. They may get negative. */
  private corrections = MAX_CORRECTIONS
  private twoTypoCorrections = MAX_TWO_TYPO_CORRECTIONS

  constructor(private readonly index: InvertedIndex) {}

  find(word: QueryWord): QueryTerm {
    if (word.phrases.length > 0) return this.search(word)
    const key = `${word.isPrefix ? '*' : ''}${[word.text, ...word.alternatives].join(' ')}`
    const { corrections, twoTypoCorrections } = this
    const cached = this.index.termCache.get(key)
    if (cached && cached.corrections <= corrections && cached.twoTypoCorrections <= twoTypoCorrections) {
      this.corrections -= cached.corrections
      this.twoTypoCorrections -= cached.twoTypoCorrections
      return cached.term
    }
    const term = this.search(word)
    // After many corrections, a word isn't corrected that would be in another search.
    if (corrections > 0 && twoTypoCorrections > 0)
      this.index.termCache.set(key, {
        term,
        corrections: corrections - this.corrections,
        twoTypoCorrections: twoTypoCorrections - this.twoTypoCorrections,
      })
    return term
  }

  private search(word: QueryWord): QueryTerm {
    const { text, alternatives, isPrefix } = word
    const itself = this.knownTerms([text, ...alternatives])
    const known = itself.length > 0
    const weights = new Map<number, number>()
    const rarest = known ? Math.min(...itself.map(number => this.idf(number))) : Infinity
    const add = (numbers: Iterable<number>, weight: number) => {
      for (const number of numbers) {
        const weighted = weight * Math.min(rarest, this.idf(number))
        if (weighted > (weights.get(number) ?? 0)) weights.set(number, weighted)
      }
    }
    for (const number of itself) weights.set(number, this.idf(number))
    const { vocabulary } = this.index
    const sameStem = this.inUse(vocabulary.withSameStem(text))
    add(sameStem, known ? STEM_WEIGHT : UNKNOWN_STEM_WEIGHT)
    add(this.inUse(vocabulary.tree.endingWith(text)), COMPOUND_WEIGHT)
    const isPrefixMatch = isPrefix && this.addLongerTerms(text, known, weights)
    const phrases = word.phrases.map(words => words.map(part => this.find(plainWord(part))))
    if (known || phrases.length > 0) return this.term(weights, phrases, known ? itself : [...weights.keys()])
    return this.correct(text, isPrefixMatch, weights)
  }

  /** Returns a query term that only the word itself matches. */
  exact(text: string): QueryTerm {
    const itself = this.knownTerms([text])
    const weights = new Map(itself.map(number => [number, this.idf(number)]))
    return this.term(weights, [], itself)
  }

  /** Returns the number of jobs that have a word. */
  frequencyOf(word: string): number {
    const number = this.index.vocabulary.numberOf(word)
    return number === undefined ? 0 : this.frequency(number)
  }

  /** Returns the number of jobs that have a word or an alternative. Jobs with several of them count several times. */
  frequencyOfAny({ text, alternatives, phrases }: QueryWord): number {
    const words = [text, ...alternatives, ...phrases.flat()]
    return words.reduce((jobs, word) => jobs + this.frequencyOf(word), 0)
  }

  private correct(text: string, isPrefixMatch: boolean, weights: Map<number, number>): QueryTerm {
    const length = [...text].length
    if (length < MIN_ONE_TYPO_LENGTH || this.corrections-- <= 0)
      return this.term(weights, [], [...weights.keys()])
    const { vocabulary } = this.index
    const add = (numbers: readonly number[], weight: number) => {
      for (const number of numbers)
        weights.set(number, Math.max(weights.get(number) ?? 0, weight * this.idf(number)))
    }
    const hasSameStem = weights.size > 0
    const oneTypo = this.inUse(vocabulary.tree.withinOneEdit(text))
    add(oneTypo, isPrefixMatch ? PREFIX_TYPO_WEIGHT : ONE_TYPO_WEIGHT)
    if (hasSameStem || oneTypo.length > 0)
      return this.term(weights, [], [...weights.keys()], hasSameStem ? [] : oneTypo)
    const parts = this.splitInTwo(text)
    if (parts) {
      const phrase = parts.map(part => this.find(plainWord(part)))
      return {
        ...this.term(weights, [phrase], []),
        frequency: Math.min(...phrase.map(({ frequency }) => frequency)),
        correction: parts.join(' '),
      }
    }
    const mayHaveTwo = length >= MIN_TWO_TYPOS_LENGTH && length <= MAX_TWO_TYPOS_LENGTH
    const twoTypos =
      mayHaveTwo && this.twoTypoCorrections-- > 0 ? this.inUse(vocabulary.tree.withinTwoEdits(text)) : []
    add(twoTypos, TWO_TYPOS_WEIGHT)
    return this.term(weights, [], [...weights.keys()], twoTypos)
  }

  /** Adds the terms that begin with a word. Returns whether there are any. */
  private addLongerTerms(text: string, known: boolean, weights: Map<number, number>): boolean {
    let some = false
    for (const number of this.inUse(this.index.vocabulary.tree.startingWith(text))) {
      some = true
      const share = text.length / this.index.vocabulary.termOf(number).length
      const weighted = (known ? KNOWN_PREFIX_WEIGHT : PREFIX_WEIGHT) * share * this.idf(number)
      if (weighted > (weights.get(number) ?? 0)) weights.set(number, weighted)
    }
    return some
  }

  /** Splits a word into two that were written without a space, so that the rarer of the two is as common as possible. */
  private splitInTwo(text: string): readonly string[] | undefined {
    let best: readonly string[] | undefined
    let most = 0
    for (let at = MIN_PART_LENGTH; at <= text.length - MIN_PART_LENGTH; at++) {
      const parts = [text.slice(0, at), text.slice(at)]
      const jobs = Math.min(...parts.map(part => this.frequencyOf(part)))
      if (jobs <= most) continue
      most = jobs
      best = parts
    }
    return best
  }

  private term(
    weights: Map<number, number>,
    phrases: readonly QueryTerm[][],
    counted: readonly number[],
    corrections: readonly number[] = [],
  ): QueryTerm {
    const inPhrases = phrases.map(terms => Math.min(...terms.map(({ frequency }) => frequency)))
    const frequency = [...counted.map(number => this.frequency(number)), ...inPhrases].reduce(
      (a, b) => a + b,
      0,
    )
    return {
      numbers: Uint32Array.from(weights.keys()),
      weights: Float64Array.from(weights.values()),
      phrases,
      frequency,
      correction: this.mostCommon(corrections),
    }
  }

  private mostCommon(numbers: readonly number[]): string | undefined {
    const [first] = numbers.toSorted((a, b) => this.frequency(b) - this.frequency(a))
    return first === undefined ? undefined : this.index.vocabulary.termOf(first)
  }

  private knownTerms(words: readonly string[]): number[] {
    const numbers = words.map(word => this.index.vocabulary.numberOf(word))
    return this.inUse(numbers.filter(number => number !== undefined))
  }

  /** Returns those of these terms that some job has. */
  private inUse(numbers: readonly number[]): number[] {
    return numbers.filter(number => this.frequency(number) > 0)
  }

  private frequency(number: number): number {
    return this.index.frequencyOf(number)
  }

  /** Returns the inverse document frequency of a term, as in BM25: the fewer jobs have it, the higher. */
  private idf(number: number): number {
    const jobs = this.frequency(number)
    return Math.log(1 + (this.index.size - jobs + 0.5) / (jobs + 0.5))
  }
}
