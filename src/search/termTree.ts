import { GradualTree } from './gradualTree.ts'

/** The minimum length of a word that is being typed to match longer words that begin with it. */
export const MIN_PREFIX_LENGTH = 3
/** The minimum length of the first part of a compound: `Bau` in `Bauleiter`. */
const MIN_HEAD_LENGTH = 3
/** The minimum length of a word to match the end of compounds. */
const MIN_TAIL_LENGTH = 5

/** Finds terms by their spelling. */
export class TermTree {
  private readonly terms: GradualTree
  /** The terms of languages with compounds, reversed. */
  private readonly reversedTerms: GradualTree

  /** @param numberOf returns the number of a term */
  constructor(numberOf: (term: string) => number | undefined) {
    this.terms = new GradualTree(numberOf)
    this.reversedTerms = new GradualTree(key => numberOf(reversed(key)))
  }

  /** Loads an empty tree with all terms, and those that may be compounds. `addSome` completes that. */
  load(terms: readonly string[], compounds: readonly string[]): void {
    this.terms.load(terms.filter(hasPrefixes))
    this.reversedTerms.load(compounds.filter(mayBeCompound).map(reversed))
  }

  /** Completes the loading for about two milliseconds. Returns whether there is more to do. */
  addSome(): boolean {
    return this.terms.addSome() || this.reversedTerms.addSome()
  }

  add(term: string, number: number): void {
    if (hasPrefixes(term)) this.terms.set(term, number)
  }

  /** Adds a term that may be a compound. */
  addCompound(term: string, number: number): void {
    if (mayBeCompound(term)) this.reversedTerms.set(reversed(term), number)
  }

  delete(term: string): void {
    this.terms.delete(term)
    this.reversedTerms.delete(reversed(term))
  }

  /** Returns the longer terms that begin with a word. */
  startingWith(start: string): number[] {
    return this.terms.startingWith(start).flatMap(([term, number]) => (term === start ? [] : [number]))
  }

  /** Returns the compounds that end with a word: `Softwareentwickler` for `entwickler`. */
  endingWith(end: string): number[] {
    if (end.length < MIN_TAIL_LENGTH) return []
    return this.reversedTerms
      .startingWith(reversed(end))
      .flatMap(([term, number]) => (term.length >= end.length + MIN_HEAD_LENGTH ? [number] : []))
  }

  /** Returns the terms that are one typing error away from a word: a wrong, missing or extra letter, or two swapped ones. */
  withinOneEdit(word: string): number[] {
    const swapped = transpositionsOf(word).map(other => this.terms.get(other))
    return [
      ...new Set([...this.terms.withinDistance(word, 1), ...swapped.filter(number => number !== undefined)]),
    ]
  }

  /** Returns the terms that are one or two typing errors away from a word. */
  withinTwoEdits(word: string): number[] {
    const swapped = transpositionsOf(word).flatMap(other => this.withinOneEdit(other))
    return [...new Set([...this.terms.withinDistance(word, 2), ...swapped])]
  }
}

/** Scripts without spaces have thousands of characters, and a search goes through those of a node one by one. */
const hasPrefixes = (term: string) => term.length >= MIN_PREFIX_LENGTH

const mayBeCompound = (term: string) => term.length >= MIN_TAIL_LENGTH + MIN_HEAD_LENGTH

const reversed = (word: string) => [...word].toReversed().join('')

/** Returns all variants of a word with two neighbouring letters swapped. */
const transpositionsOf = (word: string) =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
  ).filter(swapped => swapped !== word)
