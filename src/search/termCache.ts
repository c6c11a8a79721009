import { LRUCache } from 'lru-cache'
import type { QueryTerm } from './queryTerm.ts'

/** The maximum number of matching terms in the cache, each of which takes 12 bytes. */
const MAX_SIZE = 100_000
/** What an entry takes besides its matches, in the same unit. */
const ENTRY_SIZE = 20

/** The matches of a word, and what it took to find them. */
export interface CachedTerm {
  readonly term: QueryTerm
  /** The number of words that were corrected, and of those with two typing errors. */
  readonly corrections: number
  readonly twoTypoCorrections: number
}

/** Caches the matches of words, because the same words occur in many searches. It is cleared when the index changes. */
export class TermCache {
  private readonly entries = new LRUCache<string, CachedTerm>({
    maxSize: MAX_SIZE,
    sizeCalculation: ({ term }) => ENTRY_SIZE + term.numbers.length,
  })
  /** The number of jobs of each term that was looked up, by its number. */
  private readonly frequencies = new Map<number, number>()

  get(key: string): CachedTerm | undefined {
    return this.entries.get(key)
  }

  set(key: string, value: CachedTerm): void {
    this.entries.set(key, value)
  }

  clear(): void {
    if (this.entries.size > 0) this.entries.clear()
    this.frequencies.clear()
  }

  /** Returns the number of jobs of a term, and counts them if it isn't known. */
  frequencyOf(number: number, count: (number: number) => number): number {
    const known = this.frequencies.get(number)
    if (known !== undefined) return known
    const frequency = count(number)
    this.frequencies.set(number, frequency)
    return frequency
  }
}
