import { isOneEditApart } from './editDistance.ts'

/** Letters after which a word that is being typed stands for those that begin with it. */
export const PREFIX_LETTERS = 3

/** Every word of the jobs, and in how many of them it is. Words are numbered, so that a job can name its own. */
export class Vocabulary {
  private readonly numbers = new Map<string, number>()
  private readonly words: string[] = []
  private readonly jobs: number[] = []
  /** For each word the set of its letters, in 32 bits: what differs too much there need not be compared. */
  private readonly letters: number[] = []
  /** The numbers of the words that have their first letters in common. */
  private readonly begun = new Map<string, number[]>()
  private readonly free: number[] = []

  get size(): number {
    return this.numbers.size
  }

  /** In how many jobs a word is. */
  jobsWith(word: string): number {
    return this.jobs[this.numberOf(word)] ?? 0
  }

  /** The number of a word; no job has word -1, which stands for all that are none of theirs. */
  numberOf(word: string): number {
    return this.numbers.get(word) ?? -1
  }

  /** Counts one more job that has the word, and gives the word's number. */
  add(word: string): number {
    const number = this.numbers.get(word) ?? this.admit(word)
    this.jobs[number] = (this.jobs[number] ?? 0) + 1
    return number
  }

  wordOf(number: number): string {
    return this.words[number] ?? ''
  }

  /** Counts one job less that has the word of this number. With the last the word goes, its number is free. */
  remove(number: number): void {
    const left = (this.jobs[number] ?? 0) - 1
    this.jobs[number] = left
    if (left > 0) return
    const word = this.wordOf(number)
    this.numbers.delete(word)
    const alike = this.begun.get(beginningOf(word))
    alike?.splice(alike.indexOf(number), 1)
    if (alike?.length === 0) this.begun.delete(beginningOf(word))
    this.words[number] = ''
    this.free.push(number)
  }

  /** The words that are one slip away from this one. */
  wordsOneEditFrom(word: string): string[] {
    const typed = [...word]
    const letters = letterSet(word)
    // A slip takes out one letter at most and puts in one
    return this.words.filter(
      (other, number) =>
        isFew((this.letters[number] ?? 0) ^ letters) &&
        Math.abs(other.length - word.length) <= 2 &&
        isOneEditApart(typed, [...other]),
    )
  }

  /**
   * The words that begin with these letters, and are longer.
   * @param start at least PREFIX_LETTERS letters
   */
  startingWith(start: string): string[] {
    const words: string[] = []
    for (const number of this.begun.get(beginningOf(start)) ?? []) {
      const word = this.wordOf(number)
      if (word.length > start.length && word.startsWith(start)) words.push(word)
    }
    return words
  }

  private admit(word: string): number {
    const number = this.free.pop() ?? this.words.length
    this.numbers.set(word, number)
    this.words[number] = word
    this.jobs[number] = 0
    this.letters[number] = letterSet(word)
    const alike = this.begun.get(beginningOf(word))
    if (alike) alike.push(number)
    else this.begun.set(beginningOf(word), [number])
    return number
  }
}

const beginningOf = (word: string) => word.slice(0, PREFIX_LETTERS)

/** A bit for each letter; letters 32 places apart share one. */
function letterSet(word: string): number {
  let set = 0
  for (const letter of word) set |= 1 << (letter.codePointAt(0) ?? 0)
  return set
}

/** Whether at most two bits are set. */
function isFew(bits: number): boolean {
  const withoutOne = bits & (bits - 1)
  return (withoutOne & (withoutOne - 1)) === 0
}
