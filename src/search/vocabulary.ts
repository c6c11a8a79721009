import SearchableMap from 'minisearch/SearchableMap'
import { compoundLanguages, type LanguageSet, smallWordLanguages, stemsOf } from './languages.ts'
import { PieceCache } from './pieceCache.ts'
import { piecesOf, wordsOf } from './tokenizer.ts'

/** The minimum length of a word that is being typed to match longer words that begin with it. */
export const PREFIX_LETTERS = 3
/** The minimum length of the first part of a compound: `Bau` in `Bauleiter`. */
const HEAD_LETTERS = 3
/** The minimum length of a word to match the end of compounds. */
const TAIL_LETTERS = 5

/**
 * Numbers all terms of the jobs. MiniSearch's radix tree (`SearchableMap`) finds terms by their beginning, or by their edit
 * distance to a word.
 */
export class Vocabulary {
  private readonly numbers = new Map<string, number>()
  private readonly terms: string[] = []
  private readonly free: number[] = []
  /** The languages in which the stems of each term have been added. */
  private readonly languages: LanguageSet[] = []
  private readonly smallWords: LanguageSet[] = []
  private readonly pieces = new PieceCache()
  private readonly tree = new SearchableMap<number>()
  /** The terms of languages with compounds, reversed. */
  private readonly reversed = new SearchableMap<number>()
  private readonly byStem = new Map<string, number[]>()
  /** The languages of all terms together. */
  allLanguages: LanguageSet = 0

  get size(): number {
    return this.numbers.size
  }

  numberOf(term: string): number | undefined {
    return this.numbers.get(term)
  }

  termOf(number: number): string {
    return this.terms[number] ?? ''
  }

  /** Returns all terms with their numbers. */
  entries(): Iterable<[term: string, number: number]> {
    return this.numbers
  }

  /** Adds the numbers of a text's terms to a set, up to a limit. New terms get a number. */
  addText(text: string, numbers: Set<number>, limit: number): void {
    for (const piece of piecesOf(text)) {
      const known = this.pieces.get(piece)
      if (known) for (const number of known) numbers.add(number)
      else this.addPiece(piece, numbers, limit)
      if (numbers.size >= limit) return
    }
  }

  /** Records that terms occur in a job in these languages, so that other forms of them are found. */
  addLanguages(numbers: readonly number[], languages: LanguageSet): void {
    for (const number of numbers) {
      const missing = languages & ~(this.languages[number] ?? 0)
      if (missing !== 0) this.relate(number, missing, stemsOf(this.termOf(number), missing))
    }
  }

  /** Returns the languages in which a term is a small word. */
  smallWordOf(number: number): LanguageSet {
    return this.smallWords[number] ?? 0
  }

  /** Serializes the vocabulary, with a line for each number: a term, its languages and its stems, or nothing. */
  toText(): string {
    const stems: string[] = []
    for (const [stem, numbers] of this.byStem)
      for (const number of numbers) stems[number] = `${stems[number] ?? ''} ${stem}`
    return this.terms
      .map((term, number) => (term === '' ? '' : `${term} ${this.languages[number]}${stems[number] ?? ''}`))
      .join('\n')
  }

  static fromText(text: string): Vocabulary {
    const vocabulary = new Vocabulary()
    text.split('\n').forEach((line, number) => vocabulary.restore(line, number))
    return vocabulary
  }

  /** Removes a term that no job has any more. */
  remove(number: number): void {
    const term = this.termOf(number)
    for (const stem of stemsOf(term, this.languages[number] ?? 0)) {
      const others = this.byStem.get(stem)?.filter(other => other !== number) ?? []
      if (others.length > 0) this.byStem.set(stem, others)
      else this.byStem.delete(stem)
    }
    this.numbers.delete(term)
    this.tree.delete(term)
    this.reversed.delete(reverse(term))
    this.pieces.clear()
    this.terms[number] = ''
    this.languages[number] = 0
    this.free.push(number)
  }

  /** Returns the longer terms that begin with a word. */
  startingWith(start: string): number[] {
    return [...this.tree.atPrefix(start)].flatMap(([term, number]) => (term === start ? [] : [number]))
  }

  /** Returns the compounds that end with a word, in languages with compounds: `Softwareentwickler` for `entwickler`. */
  endingWith(end: string): number[] {
    if (end.length < TAIL_LETTERS) return []
    return [...this.reversed.atPrefix(reverse(end))].flatMap(([term, number]) =>
      term.length >= end.length + HEAD_LETTERS ? [number] : [],
    )
  }

  /** Returns the terms that share a stem with a word, in one of their languages. */
  relativesOf(word: string): number[] {
    const known = this.numbers.get(word)
    const languages = known === undefined ? this.allLanguages : (this.languages[known] ?? 0)
    const numbers = stemsOf(word, languages).flatMap(stem => this.byStem.get(stem) ?? [])
    return [...new Set(numbers)].filter(number => this.terms[number] !== word)
  }

  /** Returns the terms that are one typing error away from a word: a wrong, missing or extra letter, or two swapped ones. */
  oneSlipFrom(word: string): number[] {
    const swapped = swapsOf(word).map(other => this.numbers.get(other))
    const edited = [...this.tree.fuzzyGet(word, 1).values()].map(([number]) => number)
    return [...new Set([...edited, ...swapped.filter(number => number !== undefined)])]
  }

  /** Returns the terms that are one or two typing errors away from a word. */
  twoSlipsFrom(word: string): number[] {
    const edited = [...this.tree.fuzzyGet(word, 2).values()].map(([number]) => number)
    return [...new Set([...edited, ...swapsOf(word).flatMap(swapped => this.oneSlipFrom(swapped))])]
  }

  private restore(line: string, number: number) {
    const [term = '', languages = '0', ...stems] = line.split(' ')
    this.terms[number] = ''
    this.languages[number] = 0
    if (term === '') {
      this.free.push(number)
      return
    }
    this.enter(term, number)
    this.relate(number, Number(languages), stems)
  }

  private addPiece(piece: string, numbers: Set<number>, limit: number) {
    const found: number[] = []
    for (const word of wordsOf(piece)) {
      if (numbers.size >= limit) return
      const number = this.numbers.get(word) ?? this.admit(word)
      found.push(number)
      numbers.add(number)
    }
    this.pieces.set(piece, found)
  }

  private admit(term: string): number {
    const number = this.free.pop() ?? this.terms.length
    this.enter(term, number)
    return number
  }

  private enter(term: string, number: number) {
    this.numbers.set(term, number)
    this.terms[number] = term
    this.smallWords[number] = smallWordLanguages(term)
    this.languages[number] = 0
    // Scripts without spaces have thousands of characters, and a search goes through those of a node one by one.
    if (term.length >= PREFIX_LETTERS) this.tree.set(term, number)
  }

  /** Adds a term under its stems. */
  private relate(number: number, languages: LanguageSet, stems: readonly string[]) {
    const term = this.termOf(number)
    this.languages[number] = (this.languages[number] ?? 0) | languages
    this.allLanguages |= languages
    for (const stem of stems) {
      const others = this.byStem.get(stem)
      if (others) others.push(number)
      else this.byStem.set(stem, [number])
    }
    if ((languages & compoundLanguages) !== 0 && term.length >= TAIL_LETTERS + HEAD_LETTERS)
      this.reversed.set(reverse(term), number)
  }
}

const reverse = (text: string) => [...text].toReversed().join('')

/** Returns all variants of a word with two neighbouring letters swapped. */
const swapsOf = (word: string) =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
  ).filter(swapped => swapped !== word)
