import type { InvertedIndex } from './invertedIndex.ts'
import {
  COMPOUND_WEIGHT,
  FORM_WEIGHT,
  KNOWN_PREFIX_WEIGHT,
  NUMBER_WEIGHT,
  ONE_TYPO_WEIGHT,
  OPTIONAL_WEIGHT,
  PREFIX_TYPO_WEIGHT,
  PREFIX_WEIGHT,
  TWO_TYPOS_WEIGHT,
  UNKNOWN_FORM_WEIGHT,
  UNKNOWN_NUMBER_WEIGHT,
} from './matchWeights.ts'
import { plainWord, type QueryTerm, type QueryWord } from './queryTerm.ts'
import { WeightedTerms } from './weightedTerms.ts'
import { singularOf } from './wordForms.ts'
import { splitInTwo } from './wordSplit.ts'

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
    const weighted = new WeightedTerms(number => this.idfOf(number))
    weighted.add(itself, 1)
    const { vocabulary } = this.index
    const sameStem = this.sameStem(text)
    // A form doesn't count as rarer than the word itself or, if no job has the word, than its most common form.
    const maxIdf = Math.min(...(known ? itself : sameStem).map(number => this.idfOf(number)))
    weighted.add(sameStem, known ? FORM_WEIGHT : UNKNOWN_FORM_WEIGHT, maxIdf)
    weighted.add(this.numbersOf(text, sameStem), known ? NUMBER_WEIGHT : UNKNOWN_NUMBER_WEIGHT, maxIdf)
    const compounds = this.inUse(vocabulary.tree.endingWith(text))
    weighted.add(compounds, COMPOUND_WEIGHT, known ? maxIdf : Infinity)
    const isPrefixMatch = isPrefix && this.addLongerTerms(text, known, weighted)
    const phrases = word.phrases.map(words => words.map(part => this.find(plainWord(part))))
    if (known || phrases.length > 0) return this.term(weighted, phrases, known ? itself : weighted.numbers)
    return this.correct(text, isPrefixMatch, weighted)
  }

  /** Returns a query term that a word matches, and its singular or plural, by their rarity in titles and companies. */
  optional(text: string): QueryTerm {
    const weighted = new WeightedTerms(number => this.idf(this.index.frequencyInNames(number)))
    weighted.add(this.knownTerms([text]), OPTIONAL_WEIGHT)
    weighted.add(this.numbersOf(text, this.sameStem(text)), OPTIONAL_WEIGHT * NUMBER_WEIGHT)
    return this.term(weighted, [], weighted.numbers)
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

  private correct(text: string, isPrefixMatch: boolean, weighted: WeightedTerms): QueryTerm {
    const length = [...text].length
    if (length < MIN_ONE_TYPO_LENGTH || this.corrections-- <= 0)
      return this.term(weighted, [], weighted.numbers)
    const { tree } = this.index.vocabulary
    const hasMatches = weighted.size > 0
    const oneTypo = this.inUse(tree.withinOneEdit(text))
    weighted.addLikeliest(oneTypo, isPrefixMatch ? PREFIX_TYPO_WEIGHT : ONE_TYPO_WEIGHT)
    if (hasMatches || oneTypo.length > 0)
      return this.term(weighted, [], weighted.numbers, hasMatches ? [] : oneTypo)
    const parts = splitInTwo(text, part => this.frequencyOf(part))
    if (parts) {
      const phrase = parts.map(part => this.find(plainWord(part)))
      return {
        ...this.term(weighted, [phrase], []),
        frequency: Math.min(...phrase.map(({ frequency }) => frequency)),
        correction: parts.join(' '),
      }
    }
    const mayHaveTwo = length >= MIN_TWO_TYPOS_LENGTH && length <= MAX_TWO_TYPOS_LENGTH
    const twoTypos = mayHaveTwo && this.twoTypoCorrections-- > 0 ? this.inUse(tree.withinTwoEdits(text)) : []
    weighted.addLikeliest(twoTypos, TWO_TYPOS_WEIGHT)
    return this.term(weighted, [], weighted.numbers, twoTypos)
  }

  /** Adds the terms that begin with a word. Returns whether there are any. */
  private addLongerTerms(text: string, known: boolean, weighted: WeightedTerms): boolean {
    const longer = this.inUse(this.index.vocabulary.tree.startingWith(text))
    for (const number of longer) {
      const share = text.length / this.index.vocabulary.termOf(number).length
      weighted.add([number], (known ? KNOWN_PREFIX_WEIGHT : PREFIX_WEIGHT) * share)
    }
    return longer.length > 0
  }

  private term(
    weighted: WeightedTerms,
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
      numbers: Uint32Array.from(weighted.numbers),
      weights: Float64Array.from(weighted.weights),
      phrases,
      frequency,
      correction: this.mostCommon(corrections),
    }
  }

  private mostCommon(numbers: readonly number[]): string | undefined {
    const [first] = numbers.toSorted((a, b) => this.frequency(b) - this.frequency(a))
    return first === undefined ? undefined : this.index.vocabulary.termOf(first)
  }

  /** Returns the terms that share a stem with a word. */
  private sameStem(text: string): number[] {
    return this.inUse(this.index.vocabulary.withSameStem(text))
  }

  /** Returns those of these terms that are the singular or plural of a word. */
  private numbersOf(text: string, terms: readonly number[]): number[] {
    const singular = singularOf(text)
    return terms.filter(number => singularOf(this.index.vocabulary.termOf(number)) === singular)
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

  private idfOf(number: number): number {
    return this.idf(this.frequency(number))
  }

  /** Returns the inverse document frequency, as in BM25: the fewer jobs have a term, the higher. */
  private idf(jobs: number): number {
    return Math.log(1 + (this.index.size - jobs + 0.5) / (jobs + 0.5))
  }
}
