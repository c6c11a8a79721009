import { compoundLanguages, type LanguageSet, stemsOf, stopWordLanguages } from './languages.ts'
import { PieceCache } from './pieceCache.ts'
import { TermTable } from './termTable.ts'
import { TermTree } from './termTree.ts'
import { forEachPiece, wordsOf } from './tokenizer.ts'

/** Numbers all terms of the jobs, and finds terms with the same stem. */
export class Vocabulary {
  /** The term of each number; an empty string for unused numbers. */
  private readonly terms: string[] = []
  private readonly table = new TermTable()
  private readonly freeNumbers: number[] = []
  /** The languages in which the stems of each term have been added. */
  private readonly languages: LanguageSet[] = []
  private readonly stopWords: LanguageSet[] = []
  private readonly pieces = new PieceCache()
  /** Finds terms by their spelling. */
  readonly tree = new TermTree(term => this.numberOf(term))
  private readonly byStem = new Map<string, number[]>()
  /** The languages of all terms together. */
  allLanguages: LanguageSet = 0

  get size(): number {
    return this.table.size
  }

  numberOf(term: string): number | undefined {
    const number = this.table.find(term)
    return number < 0 ? undefined : number
  }

  termOf(number: number): string {
    return this.terms[number] ?? ''
  }

  /**
   * Visits the number of each term in a text. New terms get a number.
   * @param visit returns whether to continue
   */
  forEachTerm(text: string, visit: (number: number) => boolean): void {
    forEachPiece(text, (start, end, isWord) =>
      isWord ? visit(this.numberAt(text, start, end)) : this.visitPiece(text.slice(start, end), visit),
    )
  }

  /** Records that terms occur in a job in these languages, so that other forms of them are found. */
  addLanguages(numbers: readonly number[], languages: LanguageSet): void {
    for (const number of numbers) {
      const missing = languages & ~(this.languages[number] ?? 0)
      if (missing === 0) continue
      const term = this.termOf(number)
      this.addStems(number, missing, stemsOf(term, missing))
      if ((missing & compoundLanguages) !== 0) this.tree.addCompound(term, number)
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
    const lines = text.split('\n')
    vocabulary.table.rebuild(lines.length)
    lines.forEach((line, number) => vocabulary.parseLine(line, number))
    const { terms, languages, tree } = vocabulary
    tree.load(
      terms,
      terms.filter((_, number) => ((languages[number] ?? 0) & compoundLanguages) !== 0),
    )
    return vocabulary
  }

  /** Removes the terms that no job has any more. */
  retain(used: ReadonlySet<number>): void {
    this.terms.forEach((term, number) => {
      if (term !== '' && !used.has(number)) this.remove(number)
    })
  }

  /** Removes a term that no job has any more. */
  remove(number: number): void {
    const term = this.termOf(number)
    for (const stem of stemsOf(term, this.languages[number] ?? 0)) {
      const others = this.byStem.get(stem)?.filter(other => other !== number) ?? []
      if (others.length > 0) this.byStem.set(stem, others)
      else this.byStem.delete(stem)
    }
    this.table.delete(term)
    this.tree.delete(term)
    this.pieces.clear()
    this.terms[number] = ''
    this.languages[number] = 0
    this.freeNumbers.push(number)
  }

  /** Returns the terms that share a stem with a word, in one of their languages. */
  withSameStem(word: string): number[] {
    const known = this.numberOf(word)
    const languages = known === undefined ? this.allLanguages : (this.languages[known] ?? 0)
    const numbers = stemsOf(word, languages).flatMap(stem => this.byStem.get(stem) ?? [])
    return [...new Set(numbers)].filter(number => this.terms[number] !== word)
  }

  private parseLine(line: string, number: number) {
    const [term = '', languages = '0', ...stems] = line.split(' ')
    this.terms[number] = ''
    this.languages[number] = 0
    if (term === '') {
      this.freeNumbers.push(number)
      return
    }
    this.addToTable(term, number)
    this.addStems(number, Number(languages), stems)
  }

  private numberAt(text: string, start: number, end: number): number {
    const number = this.table.find(text, start, end)
    return number < 0 ? this.numberNewTerm(text.slice(start, end).toLowerCase()) : number
  }

  private visitPiece(piece: string, visit: (number: number) => boolean): boolean {
    const known = this.pieces.get(piece)
    if (known) return known.every(visit)
    const numbers: number[] = []
    for (const word of wordsOf(piece)) {
      const number = this.numberAt(word, 0, word.length)
      numbers.push(number)
      if (!visit(number)) return false
    }
    this.pieces.set(piece, numbers)
    return true
  }

  private numberNewTerm(term: string): number {
    const number = this.freeNumbers.pop() ?? this.terms.length
    this.addToTable(term, number)
    this.tree.add(term, number)
    return number
  }

  private addToTable(term: string, number: number) {
    this.terms[number] = term
    this.table.add(term, number)
    this.stopWords[number] = stopWordLanguages(term)
    this.languages[number] = 0
  }

  /** Adds a term under its stems. */
  private addStems(number: number, languages: LanguageSet, stems: readonly string[]) {
    this.languages[number] = (this.languages[number] ?? 0) | languages
    this.allLanguages |= languages
    for (const stem of stems) {
      const others = this.byStem.get(stem)
      if (others) others.push(number)
      else this.byStem.set(stem, [number])
    }
  }
}
