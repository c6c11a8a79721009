import MiniSearch from 'minisearch'
import { FIELDS, type FieldTexts, fieldTextsOf, type SearchableJob, type SearchField } from './fields.ts'
import type { QueryTerm } from './queryTerm.ts'
import { Vocabulary } from './vocabulary.ts'

/** What MiniSearch knows: a place of a job. It tells of documents only, not in which of their fields a word is. */
interface Document {
  /** The job's slot times the number of places, and the place's position. */
  readonly id: number
  readonly words: string
}

/** Told of a job, by its slot, that it has a word in a place, by its position, and what that is worth. */
export type VisitMatch = (slot: number, place: number, value: number) => void

const NO_WORDS = new Uint32Array(FIELDS.length)

/**
 * Which job has which words, and where. While a job is here it has a slot, a small number of its own, so that what a
 * search finds out of each job can stand in an array.
 */
export class InvertedIndex {
  readonly vocabulary = new Vocabulary()
  private readonly index = new MiniSearch<Document>({
    fields: ['words'],
    tokenize: text => text.split(' '),
    // MiniSearch's tree looks through the branches of a node one by one: few in ASCII, thousands in Han
    processTerm: encodeURIComponent,
    // Its vacuum (7.2.0) throws if a document is added meanwhile. Jobs are removed whole, nothing is left to sweep
    autoVacuum: false,
  })
  private readonly slots = new Map<number, number>()
  private readonly free: number[] = []
  /** By slot. */
  private readonly ids: number[] = []
  /** By slot, how many words each place has, then the numbers of those words. */
  private readonly entries: Uint32Array[] = []

  /** How many jobs there are. */
  get size(): number {
    return this.slots.size
  }

  /** All slots are below this. */
  get capacity(): number {
    return this.ids.length
  }

  put(job: SearchableJob): void {
    const words = fieldTextsOf(job)
    const known = this.slots.get(job.id)
    if (known !== undefined) {
      const before = this.textsIn(known)
      if (FIELDS.every(place => before[place] === words[place])) return
      this.remove(job.id)
    }
    this.insert(job.id, words)
  }

  remove(id: number): void {
    const slot = this.slots.get(id)
    if (slot === undefined) return
    for (const document of documentsOf(slot, this.textsIn(slot))) this.index.remove(document)
    for (const number of this.numbersIn(slot)) this.vocabulary.remove(number)
    this.entries[slot] = NO_WORDS
    this.slots.delete(id)
    this.free.push(slot)
  }

  /** The id of the job that has this slot. */
  idIn(slot: number): number {
    return this.ids[slot] ?? 0
  }

  /** How many words the job in a slot has in a place, by the place's position among all. */
  wordCount(slot: number, place: number): number {
    return this.entries[slot]?.[place] ?? 0
  }

  /**
   * Tells every job that matches a word.
   * @param valueOf what it is worth to have this word of the vocabulary
   */
  visit(
    { text, compound, prefix, typoMatches: slips }: QueryTerm,
    valueOf: (match: string) => number,
    tell: VisitMatch,
  ) {
    let key: string | undefined
    let value = 0
    this.index.search(
      { combineWith: 'OR', queries: compound === undefined ? [text, ...slips] : [text, compound, ...slips] },
      {
        prefix: begun => prefix && begun === encodeURIComponent(text),
        // MiniSearch asks what each match is worth to it, all of a word after one another. The answer 0 spares it a
        // result for each, and with them nine tenths of the time that a common word takes
        boostDocument: (id: number, next) => {
          if (next !== key) {
            key = next
            value = valueOf(decodeURIComponent(key))
          }
          tell(Math.floor(id / FIELDS.length), id % FIELDS.length, value)
          return 0
        },
      },
    )
  }

  /** The same of some slots alone: looks for each match among the words of each, which is quicker where these are few. */
  visitAmong(
    slots: readonly number[],
    matches: readonly string[],
    valueOf: (match: string) => number,
    tell: VisitMatch,
  ) {
    const sought = matches.map(word => ({ number: this.vocabulary.numberOf(word), value: valueOf(word) }))
    for (const slot of slots) {
      const entry = this.entries[slot] ?? NO_WORDS
      for (const { number, value } of sought) {
        const at = entry.indexOf(number, FIELDS.length)
        if (at !== -1) tell(slot, placeAt(entry, at), value)
      }
    }
  }

  private insert(id: number, texts: FieldTexts) {
    const slot = this.free.pop() ?? this.ids.length
    // first, so that a slot is not given away again whose job MiniSearch took in by half
    this.ids[slot] = id
    for (const document of documentsOf(slot, texts)) this.index.add(document)
    this.entries[slot] = this.entryOf(texts)
    this.slots.set(id, slot)
  }

  private entryOf(texts: FieldTexts): Uint32Array {
    const words = FIELDS.map(place => splitWords(texts[place]))
    return Uint32Array.from([
      ...words.map(({ length }) => length),
      ...words.flat().map(word => this.vocabulary.add(word)),
    ])
  }

  private numbersIn(slot: number): Uint32Array {
    return (this.entries[slot] ?? NO_WORDS).subarray(FIELDS.length)
  }

  private textsIn(slot: number): FieldTexts {
    const words = Array.from(this.numbersIn(slot), number => this.vocabulary.wordOf(number))
    const take = (place: SearchField) =>
      words.splice(0, this.wordCount(slot, FIELDS.indexOf(place))).join(' ')
    return {
      title: take('title'),
      company: take('company'),
      location: take('location'),
      rest: take('rest'),
    }
  }
}

const documentsOf = (slot: number, texts: FieldTexts): Document[] =>
  FIELDS.map((place, at) => ({ id: slot * FIELDS.length + at, words: texts[place] })).filter(
    ({ words }) => words !== '',
  )

/** The position of the place that a word belongs to which stands there in an entry. */
function placeAt(entry: Uint32Array, at: number): number {
  let left = at - FIELDS.length
  let place = 0
  while (place < FIELDS.length - 1 && left >= (entry[place] ?? 0)) left -= entry[place++] ?? 0
  return place
}

const splitWords = (words: string) => (words === '' ? [] : words.split(' '))
