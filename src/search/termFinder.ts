import type { InvertedIndex } from './invertedIndex.ts'
import { plain, type QueryTerm, type QueryWord } from './queryTerm.ts'

/** Letters from which a word may have a slip, and two. */
const SLIP_LETTERS = 4
const TWO_SLIPS_LETTERS = 8
/** Letters up to which it may have two: to look for them takes the longer, the more there are. */
const TWO_SLIPS_MOST_LETTERS = 16
/**
 * Words of a search that are corrected, and those in which two slips are looked for. A search has room for fifty that no
 * job has, and to look for two slips among 40,000 terms takes 5 ms.
 */
const MOST_CORRECTIONS = 8
const MOST_DOUBLE_CORRECTIONS = 1
/** Letters that each half has of a word that is taken apart. */
const HALF_LETTERS = 3

/** What a term is worth beside the word itself, which is 1: another form of it, */
const RELATIVE = 0.35
/** the same of a word that no job has, */
const RELATIVE_OF_UNKNOWN = 0.8
/** a compound that ends with it, */
const COMPOUND = 0.4
/** what is one slip away, */
const SLIP = 0.45
/** the same while the word may be the beginning of others, which are the likelier ones, */
const SLIP_BEGUN = 0.05
/** what is two slips away, */
const TWO_SLIPS = 0.35

/** and a longer word, for the share of it that is there; */
const LONGER = 0.8
/** the same if what is there is a word itself: `java` means JavaScript less than `javas` does. */
const LONGER_KNOWN = 0.2

/** Finds what matches the words of a search. */
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

  /** A word that only itself matches. */
  exact(text: string): QueryTerm {
    const itself = this.existing([text])
    const values = new Map(itself.map(number => [number, this.rareness(number)]))
    return this.term(values, [], itself)
  }

  /** In how many jobs a word is. */
  jobsWith(word: string): number {
    const number = this.index.vocabulary.numberOf(word)
    return number === undefined ? 0 : this.jobsOf(number)
  }

  /** In how many jobs a word is, or what does as well; those with several of them count several times. */
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

  /** The two words that a word is without the space between: those of which the rarer one is the most common. */
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

  /** Those of these terms that some job has. */
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

  /** How much a term says of a job: the fewer have it, the more (the inverse document frequency of BM25). */
  private rareness(number: number): number {
    const jobs = this.jobsOf(number)
    return Math.log(1 + (this.index.size - jobs + 0.5) / (jobs + 0.5))
  }
}
