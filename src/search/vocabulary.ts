import SearchableMap from 'minisearch/SearchableMap'
import { compoundLanguages, type LanguageSet, smallWordLanguages, stemsOf } from './languages.ts'
import { PieceCache } from './pieceCache.ts'
import { piecesOf, wordsOf } from './tokenizer.ts'

/** Letters after which a word that is being typed stands for those that begin with it. */
export const PREFIX_LETTERS = 3
/** Letters that the first part of a compound has at least: `Bau` in `Bauleiter`. */
const HEAD_LETTERS = 3
/** Letters that a word needs to be looked for at the end of compounds. */
const TAIL_LETTERS = 5

/**
 * Every term of the jobs, under a number. MiniSearch's tree of words (`SearchableMap`) finds those that begin like a word
 * or are a few letters away.
 */
export class Vocabulary {
  private readonly numbers = new Map<string, number>()
  private readonly terms: string[] = []
  private readonly free: number[] = []
  /** The languages of the jobs that have each term, as far as its stems are known. */
  private readonly languages: LanguageSet[] = []
  private readonly smallWords: LanguageSet[] = []
  private readonly pieces = new PieceCache()
  private readonly tree = new SearchableMap<number>()
  /** Terms of languages with compounds, from their last letter to their first. */
  private readonly reversed = new SearchableMap<number>()
  private readonly byStem = new Map<string, number[]>()
  /** All languages that some term was in. */
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

  /** All terms with their numbers. */
  entries(): Iterable<[term: string, number: number]> {
    return this.numbers
  }

  /** Adds the numbers of the terms of a text to others, up to a limit. Terms that are new get a number. */
  addText(text: string, numbers: Set<number>, limit: number): void {
    for (const piece of piecesOf(text)) {
      const known = this.pieces.get(piece)
      if (known) for (const number of known) numbers.add(number)
      else this.addPiece(piece, numbers, limit)
      if (numbers.size >= limit) return
    }
  }

  /** Notes that terms are of a job in these languages, and so have other forms. */
  addLanguages(numbers: readonly number[], languages: LanguageSet): void {
    for (const number of numbers) {
      const missing = languages & ~(this.languages[number] ?? 0)
      if (missing !== 0) this.relate(number, missing, stemsOf(this.termOf(number), missing))
    }
  }

  /** The languages in which a term is a small word. */
  smallWordOf(number: number): LanguageSet {
    return this.smallWords[number] ?? 0
  }

  /** All that is known, a line for each number: a term, its languages and its stems, or nothing. */
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

  /** Forgets a term that no job has any more. */
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

  /** The terms that begin with this, and are longer. */
  startingWith(start: string): number[] {
    return [...this.tree.atPrefix(start)].flatMap(([term, number]) => (term === start ? [] : [number]))
  }

  /** The terms that a compound ends with this, in languages that make compounds: `Softwareentwickler` for `entwickler`. */
  endingWith(end: string): number[] {
    if (end.length < TAIL_LETTERS) return []
    return [...this.reversed.atPrefix(reverse(end))].flatMap(([term, number]) =>
      term.length >= end.length + HEAD_LETTERS ? [number] : [],
    )
  }

  /** The terms that have a stem in common with a word, in a language of theirs. */
  relativesOf(word: string): number[] {
    const known = this.numbers.get(word)
    const languages = known === undefined ? this.allLanguages : (this.languages[known] ?? 0)
    const numbers = stemsOf(word, languages).flatMap(stem => this.byStem.get(stem) ?? [])
    return [...new Set(numbers)].filter(number => this.terms[number] !== word)
  }

  /** The terms that are one slip away from a word: a letter wrong, missing or extra, or two neighbours swapped. */
  oneSlipFrom(word: string): number[] {
    const swapped = swapsOf(word).map(other => this.numbers.get(other))
    const edited = [...this.tree.fuzzyGet(word, 1).values()].map(([number]) => number)
    return [...new Set([...edited, ...swapped.filter(number => number !== undefined)])]
  }

  /** The terms that are two slips away from a word, or one. */
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
    // Scripts without spaces have thousands of letters, which a node of the tree is searched through one by one
    if (term.length >= PREFIX_LETTERS) this.tree.set(term, number)
  }

  /** Enters a term under its stems. */
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

/** A word with two neighbours swapped, in each way. */
const swapsOf = (word: string) =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
  ).filter(swapped => swapped !== word)
