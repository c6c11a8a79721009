import MiniSearch from 'minisearch'
import { Vocabulary } from './vocabulary.ts'
import type { Wanted } from './wanted.ts'
import { wordsIn } from './words.ts'

/** What is searched of a job: what it shows, and the names of its category and term. */
export interface Searchable {
  readonly id: number
  readonly title: string
  readonly company: string
  readonly location: string
  readonly description: string
  readonly category: string
  readonly term: string
}

/** The places a word can have in a job, the weightiest first. It is indexed once, in the first that has it. */
export const PLACES = ['title', 'company', 'location', 'rest'] as const
export type Place = (typeof PLACES)[number]

/** A job as MiniSearch sees it: the words of each place, with spaces between. */
type Document = Readonly<Record<Place, string>> & { readonly id: number }

/** Which job has which words, and where. */
export class Postings {
  readonly vocabulary = new Vocabulary()
  private readonly index = new MiniSearch<Document>({
    fields: [...PLACES],
    tokenize: text => text.split(' '),
    // MiniSearch's tree looks through the branches of a node one by one: few in ASCII, thousands in Han
    processTerm: encodeURIComponent,
    // Its vacuum (7.2.0) throws if a document is added meanwhile. Jobs are removed whole, nothing is left to sweep
    autoVacuum: false,
  })
  /** For each job how many words each place has, then the numbers of those words. */
  private readonly entries = new Map<number, Uint32Array>()

  /** How many jobs there are. */
  get size(): number {
    return this.entries.size
  }

  put(job: Searchable): void {
    const document = documentOf(job)
    const known = this.documentFor(job.id)
    if (known && PLACES.every(place => known[place] === document[place])) return
    this.remove(job.id)
    this.index.add(document)
    this.entries.set(job.id, this.entryOf(document))
  }

  remove(id: number): void {
    const document = this.documentFor(id)
    if (!document) return
    this.index.remove(document)
    for (const number of this.numbersOf(id)) this.vocabulary.remove(number)
    this.entries.delete(id)
  }

  /** How many words a job has in a place. */
  wordCount(id: number, place: Place): number {
    return this.entries.get(id)?.[PLACES.indexOf(place)] ?? 0
  }

  /**
   * Tells every job that matches the word in a place.
   * @param valueOf what it is worth to have this word of the vocabulary; asked once for each
   * @param tell is given that value with every job
   */
  visit(
    word: Wanted,
    place: Place,
    valueOf: (match: string) => number,
    tell: (id: number, value: number) => void,
  ) {
    const values = new Map<string, number>()
    const { text, compound, prefix, slips } = word
    this.index.search(
      { combineWith: 'OR', queries: compound === undefined ? [text, ...slips] : [text, compound, ...slips] },
      {
        fields: [place],
        prefix: key => prefix && key === encodeURIComponent(text),
        // MiniSearch asks what each match is worth to it. The answer 0 spares it a result for each, and with
        // them nine tenths of the time that a common word takes
        boostDocument: (id: number, key) => {
          const value = values.get(key) ?? valueOf(decodeURIComponent(key))
          values.set(key, value)
          tell(id, value)
          return 0
        },
      },
    )
  }

  private entryOf(document: Document): Uint32Array {
    const words = PLACES.map(place => splitWords(document[place]))
    return Uint32Array.from([
      ...words.map(({ length }) => length),
      ...words.flat().map(word => this.vocabulary.add(word)),
    ])
  }

  private numbersOf(id: number): Uint32Array {
    return this.entries.get(id)?.subarray(PLACES.length) ?? new Uint32Array()
  }

  private documentFor(id: number): Document | undefined {
    if (!this.entries.has(id)) return undefined
    const words = Array.from(this.numbersOf(id), number => this.vocabulary.wordOf(number))
    const take = (place: Place) => words.splice(0, this.wordCount(id, place)).join(' ')
    return {
      id,
      title: take('title'),
      company: take('company'),
      location: take('location'),
      rest: take('rest'),
    }
  }
}

function documentOf({ id, title, company, location, description, category, term }: Searchable): Document {
  const seen = new Set<string>()
  const take = (text: string) => {
    const fresh = wordsIn(text).difference(seen)
    for (const word of fresh) seen.add(word)
    return [...fresh].join(' ')
  }
  return {
    id,
    title: take(title),
    company: take(company),
    location: take(location),
    rest: take([description, category, term].join('\n')),
  }
}

const splitWords = (words: string) => (words === '' ? [] : words.split(' '))
