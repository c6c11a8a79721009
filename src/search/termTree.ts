import SearchableMap from 'minisearch/SearchableMap'

/** The minimum length of a word that is being typed to match longer words that begin with it. */
export const MIN_PREFIX_LENGTH = 3
/** The minimum length of the first part of a compound: `Bau` in `Bauleiter`. */
const MIN_HEAD_LENGTH = 3
/** The minimum length of a word to match the end of compounds. */
const MIN_TAIL_LENGTH = 5

/** Finds terms by their spelling, with MiniSearch's radix tree (`SearchableMap`). */
export class TermTree {
  private readonly terms = new SearchableMap<number>()
  /** The terms of languages with compounds, reversed. */
  private readonly reversedTerms = new SearchableMap<number>()

  add(term: string, number: number): void {
    // Scripts without spaces have thousands of characters, and a search goes through those of a node one by one.
    if (term.length >= MIN_PREFIX_LENGTH) this.terms.set(term, number)
  }

  /** Adds a term that may be a compound. */
  addCompound(term: string, number: number): void {
    if (term.length >= MIN_TAIL_LENGTH + MIN_HEAD_LENGTH) this.reversedTerms.set(reversed(term), number)
  }

  delete(term: string): void {
    this.terms.delete(term)
    this.reversedTerms.delete(reversed(term))
  }

  /** Returns the longer terms that begin with a word. */
  startingWith(start: string): number[] {
    return [...this.terms.atPrefix(start)].flatMap(([term, number]) => (term === start ? [] : [number]))
  }

  /** Returns the compounds that end with a word: `Softwareentwickler` for `entwickler`. */
  endingWith(end: string): number[] {
    if (end.length < MIN_TAIL_LENGTH) return []
    return [...this.reversedTerms.atPrefix(reversed(end))].flatMap(([term, number]) =>
      term.length >= end.length + MIN_HEAD_LENGTH ? [number] : [],
    )
  }

  /** Returns the terms that are one typing error away from a word: a wrong, missing or extra letter, or two swapped ones. */
  withinOneEdit(word: string): number[] {
    const swapped = transpositionsOf(word).map(other => this.terms.get(other))
    return [...new Set([...this.edited(word, 1), ...swapped.filter(number => number !== undefined)])]
  }

  /** Returns the terms that are one or two typing errors away from a word. */
  withinTwoEdits(word: string): number[] {
    const swapped = transpositionsOf(word).flatMap(other => this.withinOneEdit(other))
    return [...new Set([...this.edited(word, 2), ...swapped])]
  }

  /** Returns the terms at an edit distance from a word: the number of wrong, missing or extra letters. */
  private edited(word: string, distance: number): number[] {
    return [...this.terms.fuzzyGet(word, distance).values()].map(([number]) => number)
  }
}

const reversed = (word: string) => [...word].toReversed().join('')

/** Returns all variants of a word with two neighbouring letters swapped. */
const transpositionsOf = (word: string) =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
  ).filter(swapped => swapped !== word)
