import type { InvertedIndex } from './invertedIndex.ts'
import { plain, type QueryTerm, type QueryWord } from './queryTerm.ts'

/** The minimum lengths of words with one and with two typing errors. */
const SLIP_LETTERS = 4
const TWO_SLIPS_LETTERS = 8
/** The maximum length of words with two typing errors. Longer words take longer to correct. */
const TWO_SLIPS_MOST_LETTERS = 16
/**
 * The maximum numbers of words in a search that are corrected, and of those with two typing errors. A search can contain
 * fifty unknown words, and correcting two errors takes 5 ms with 40,000 terms.
 */
const MOST_CORRECTIONS = 8
const MOST_DOUBLE_CORRECTIONS = 1
/** The minimum length of both parts of a word that is split. */
const HALF_LETTERS = 3

/** The weight of another form of a word. The word itself has 1. */
const RELATIVE = 0.35
/** The weight of another form of a word that no job has. */
const RELATIVE_OF_UNKNOWN = 0.8
/** The weight of a compound that ends with the word. */
const COMPOUND = 0.4
/** The weight of a term that is one typing error away. */
const SLIP = 0.45
/** The weight of such a term while the word may still be the beginning of others, which are likelier. */
const SLIP_BEGUN = 0.05
/** The weight of a term that is two typing errors away. */
const TWO_SLIPS = 0.35

/** The weight of a longer term that begins with the word, multiplied by the share of it that was typed. */
const LONGER = 0.8
/** The weight of a longer term if the word itself is a term: `java` means JavaScript less likely than `javas` does. */
const LONGER_KNOWN = 0.2

/** Finds the terms that match the words of a search. */
export class TermFinder {
  /** In how many jobs a term is, by its number. */
  private readonly jobs = new Map<number, number>()

  constructor(
    private readonly index: InvertedIndex,
    private corrections = MOST_CORRECTIONS,
    private doubleCorrections = MOST_DOUBLE_CORRECTIONS,
  ) {}

  find(word: QueryWord): QueryTerm {
    const { text, others, isPrefix } = word
    const itself = this.existing([text, ...others])
    const known = itself.length > 0
    const values = new Map<number, number>()
    const rarest = known ? Math.min(...itself.map(number => this.rareness(number))) : Infinity
    const add = (numbers: Iterable<number>, worth: number) => {
      for (const number of numbers) {
        const value = worth * Math.min(rarest, this.rareness(number))
        if (value > (values.get(number) ?? 0)) values.set(number, value)
      }
    }
    for (const number of itself) values.set(number, this.rareness(number))
    const { vocabulary } = this.index
    const relatives = this.alive(vocabulary.relativesOf(text))
    add(relatives, known ? RELATIVE : RELATIVE_OF_UNKNOWN)
    add(this.alive(vocabulary.endingWith(text)), COMPOUND)
    const isBegun = isPrefix && this.addLonger(text, known, values)
    const phrases = word.phrases.map(words => words.map(part => this.find(plain(part))))
    if (known || phrases.length > 0) return this.term(values, phrases, known ? itself : [...values.keys()])
    return this.corrected(text, isBegun, values)
  }

  /** Returns a query term that only the word itself matches. */
  exact(text: string): QueryTerm {
    const itself = this.existing([text])
    const values = new Map(itself.map(number => [number, this.rareness(number)]))
    return this.term(values, [], itself)
  }

  /** Returns the number of jobs that have a word. */
  jobsWith(word: string): number {
    const number = this.index.vocabulary.numberOf(word)
    return number === undefined ? 0 : this.jobsOf(number)
  }

  /** Returns the number of jobs that have a word or an alternative. Jobs with several of them count several times. */
  jobsWithAny({ text, others, phrases }: QueryWord): number {
    const words = [text, ...others, ...phrases.flat()]
    return words.reduce((jobs, word) => jobs + this.jobsWith(word), 0)
  }

  private corrected(text: string, isBegun: boolean, values: Map<number, number>): QueryTerm {
    const length = [...text].length
    if (length < SLIP_LETTERS || this.corrections-- <= 0) return this.term(values, [], [...values.keys()])
    const { vocabulary } = this.index
    const add = (numbers: readonly number[], worth: number) => {
      for (const number of numbers)
        values.set(number, Math.max(values.get(number) ?? 0, worth * this.rareness(number)))
    }
    const hasRelatives = values.size > 0
    const slips = this.alive(vocabulary.oneSlipFrom(text))
    add(slips, isBegun ? SLIP_BEGUN : SLIP)
    if (hasRelatives || slips.length > 0)
      return this.term(values, [], [...values.keys()], hasRelatives ? [] : slips)
    const halves = this.halvesOf(text)
    if (halves) {
      const phrase = halves.map(half => this.find(plain(half)))
      return {
        ...this.term(values, [phrase], []),
        jobs: Math.min(...phrase.map(({ jobs }) => jobs)),
        correction: halves.join(' '),
      }
    }
    const isFit = length >= TWO_SLIPS_LETTERS && length <= TWO_SLIPS_MOST_LETTERS
    const twice = isFit && this.doubleCorrections-- > 0 ? this.alive(vocabulary.twoSlipsFrom(text)) : []
    add(twice, TWO_SLIPS)
    return this.term(values, [], [...values.keys()], twice)
  }

  /** Adds the terms that begin with a word. Returns whether there are any. */
  private addLonger(text: string, known: boolean, values: Map<number, number>): boolean {
    let some = false
    for (const number of this.alive(this.index.vocabulary.startingWith(text))) {
      some = true
      const share = text.length / this.index.vocabulary.termOf(number).length
      const value = (known ? LONGER_KNOWN : LONGER) * share * this.rareness(number)
      if (value > (values.get(number) ?? 0)) values.set(number, value)
    }
    return some
  }

  /** Splits a word into two that were written without a space, so that the rarer of the two is as common as possible. */
  private halvesOf(text: string): readonly string[] | undefined {
    let best: readonly string[] | undefined
    let most = 0
    for (let at = HALF_LETTERS; at <= text.length - HALF_LETTERS; at++) {
      const halves = [text.slice(0, at), text.slice(at)]
      const jobs = Math.min(...halves.map(half => this.jobsWith(half)))
      if (jobs <= most) continue
      most = jobs
      best = halves
    }
    return best
  }

  private term(
    values: Map<number, number>,
    phrases: readonly QueryTerm[][],
    counted: readonly number[],
    corrections: readonly number[] = [],
  ): QueryTerm {
    const inPhrases = phrases.map(terms => Math.min(...terms.map(({ jobs }) => jobs)))
    const jobs = [...counted.map(number => this.jobsOf(number)), ...inPhrases].reduce((a, b) => a + b, 0)
    return { values, phrases, jobs, correction: this.mostCommon(corrections) }
  }

  private mostCommon(numbers: readonly number[]): string | undefined {
    const [first] = numbers.toSorted((a, b) => this.jobsOf(b) - this.jobsOf(a))
    return first === undefined ? undefined : this.index.vocabulary.termOf(first)
  }

  private existing(words: readonly string[]): number[] {
    const numbers = words.map(word => this.index.vocabulary.numberOf(word))
    return this.alive(numbers.filter(number => number !== undefined))
  }

  /** Returns those of these terms that some job has. */
  private alive(numbers: readonly number[]): number[] {
    return numbers.filter(number => this.jobsOf(number) > 0)
  }

  private jobsOf(number: number): number {
    const known = this.jobs.get(number)
    if (known !== undefined) return known
    const jobs = this.index.jobsWith(number)
    this.jobs.set(number, jobs)
    return jobs
  }

  /** Returns the inverse document frequency of a term, as in BM25: the fewer jobs have it, the higher. */
  private rareness(number: number): number {
    const jobs = this.jobsOf(number)
    return Math.log(1 + (this.index.size - jobs + 0.5) / (jobs + 0.5))
  }
}
