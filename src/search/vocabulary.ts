import SearchableMap from 'minisearch/SearchableMap'
import { compoundLanguages, type LanguageSet, stemsOf, stopWordLanguages } from './languages.ts'
import { PieceCache } from './pieceCache.ts'
import { reversed, transpositionsOf } from './spelling.ts'
import { piecesOf, wordsOf } from './tokenizer.ts'

/** The minimum length of a word that is being typed to match longer words that begin with it. */
export const MIN_PREFIX_LENGTH = 3
/** The minimum length of the first part of a compound: `Bau` in `Bauleiter`. */
const MIN_HEAD_LENGTH = 3
/** The minimum length of a word to match the end of compounds. */
const MIN_TAIL_LENGTH = 5

/**
 * Numbers all terms of the jobs. MiniSearch's radix tree (`SearchableMap`) finds terms by their beginning, or by their edit
 * distance to a word.
 */
export class Vocabulary {
  private readonly numbers = new Map<string, number>()
  private readonly terms: string[] = []
  private readonly freeNumbers: number[] = []
  /** The languages in which the stems of each term have been added. */
  private readonly languages: LanguageSet[] = []
  private readonly stopWords: LanguageSet[] = []
  private readonly pieces = new PieceCache()
  private readonly tree = new SearchableMap<number>()
  /** The terms of languages with compounds, reversed. */
  private readonly reversedTerms = new SearchableMap<number>()
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
      if (missing !== 0) this.addStems(number, missing, stemsOf(this.termOf(number), missing))
    }
  }

  /** Returns the languages in which a term is a stop word. */
  stopWordLanguagesOf(number: number): LanguageSet {
    return this.stopWords[number] ?? 0
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
    text.split('\n').forEach((line, number) => vocabulary.parseLine(line, number))
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
    this.reversedTerms.delete(reversed(term))
    this.pieces.clear()
    this.terms[number] = ''
    this.languages[number] = 0
    this.freeNumbers.push(number)
  }

  /** Returns the longer terms that begin with a word. */
  startingWith(start: string): number[] {
    return [...this.tree.atPrefix(start)].flatMap(([term, number]) => (term === start ? [] : [number]))
  }

  /** Returns the compounds that end with a word, in languages with compounds: `Softwareentwickler` for `entwickler`. */
  endingWith(end: string): number[] {
    if (end.length < MIN_TAIL_LENGTH) return []
    return [...this.reversedTerms.atPrefix(reversed(end))].flatMap(([term, number]) =>
      term.length >= end.length + MIN_HEAD_LENGTH ? [number] : [],
    )
  }

  /** Returns the terms that share a stem with a word, in one of their languages. */
  withSameStem(word: string): number[] {
    const known = this.numbers.get(word)
    const languages = known === undefined ? this.allLanguages : (this.languages[known] ?? 0)
    const numbers = stemsOf(word, languages).flatMap(stem => this.byStem.get(stem) ?? [])
    return [...new Set(numbers)].filter(number => this.terms[number] !== word)
  }

  /** Returns the terms that are one typing error away from a word: a wrong, missing or extra letter, or two swapped ones. */
  withinOneEdit(word: string): number[] {
    const swapped = transpositionsOf(word).map(other => this.numbers.get(other))
    const edited = [...this.tree.fuzzyGet(word, 1).values()].map(([number]) => number)
    return [...new Set([...edited, ...swapped.filter(number => number !== undefined)])]
  }

  /** Returns the terms that are one or two typing errors away from a word. */
  withinTwoEdits(word: string): number[] {
    const edited = [...this.tree.fuzzyGet(word, 2).values()].map(([number]) => number)
    return [
      ...new Set([...edited, ...transpositionsOf(word).flatMap(swapped => this.withinOneEdit(swapped))]),
    ]
  }

  private parseLine(line: string, number: number) {
    const [term = '', languages = '0', ...stems] = line.split(' ')
    this.terms[number] = ''
    this.languages[number] = 0
    if (term === '') {
      this.freeNumbers.push(number)
      return
    }
    this.addTerm(term, number)
    this.addStems(number, Number(languages), stems)
  }

  private addPiece(piece: string, numbers: Set<number>, limit: number) {
    const found: number[] = []
    for (const word of wordsOf(piece)) {
      if (numbers.size >= limit) return
      const number = this.numbers.get(word) ?? this.numberNewTerm(word)
      found.push(number)
      numbers.add(number)
    }
    this.pieces.set(piece, found)
  }

  private numberNewTerm(term: string): number {
    const number = this.freeNumbers.pop() ?? this.terms.length
    this.addTerm(term, number)
    return number
  }

  private addTerm(term: string, number: number) {
    this.numbers.set(term, number)
    this.terms[number] = term
    this.stopWords[number] = stopWordLanguages(term)
    this.languages[number] = 0
    // Scripts without spaces have thousands of characters, and a search goes through those of a node one by one.
    if (term.length >= MIN_PREFIX_LENGTH) this.tree.set(term, number)
  }

  /** Adds a term under its stems. */
  private addStems(number: number, languages: LanguageSet, stems: readonly string[]) {
    const term = this.termOf(number)
    this.languages[number] = (this.languages[number] ?? 0) | languages
    this.allLanguages |= languages
    for (const stem of stems) {
      const others = this.byStem.get(stem)
      if (others) others.push(number)
      else this.byStem.set(stem, [number])
    }
    if ((languages & compoundLanguages) !== 0 && term.length >= MIN_TAIL_LENGTH + MIN_HEAD_LENGTH)
      this.reversedTerms.set(reversed(term), number)
  }
}
