import { FIELDS, type SearchField } from './fields.ts'
import type { InvertedIndex, VisitMatch } from './invertedIndex.ts'
import { parseQueryTerms, type QueryTerm } from './queryTerm.ts'

/** A match in the title weighs more than one in the company, that more than the rest. */
const WEIGHT: Readonly<Record<SearchField, number>> = { title: 8, company: 6, location: 2, rest: 1 }
const WEIGHTS = FIELDS.map(place => WEIGHT[place])
/** What a match gains at most by being in a short text: too little for a company to outweigh a title. */
const SHORTNESS = 1 / 3
/** Words in a text with which a match gains half of that. */
const MIDDLING = 8
/** What a word that is one slip away is worth beside the word itself. */
const SLIP = 0.45
/** The same while the word may be the beginning of others, which are the likelier ones. */
const SLIP_BEGUN = 0.05
/** What a longer word is worth, for the share of it that is there. */
const LONGER = 0.8
/** The same if what is there is a word itself: `java` means JavaScript less than `javas` does. */
const LONGER_KNOWN = 0.2

/** How many jobs the index tells of in the time in which one job is looked through for a word. */
const LOOK = 0.5

/** How well jobs match, by their slots. */
class Scores {
  /** The slots of those that match, each once. */
  readonly slots: number[] = []
  private readonly values: Float64Array

  constructor(capacity: number) {
    this.values = new Float64Array(capacity)
  }

  /** 0 of a job that does not match. */
  of(slot: number): number {
    return this.values[slot] ?? 0
  }

  set(slot: number, score: number): void {
    if (this.values[slot] === 0) this.slots.push(slot)
    this.values[slot] = score
  }
}

/**
 * The jobs that have every word of the search; if there are none, those that have some. The best come first,
 * among equals the higher id. A search without any word finds nothing.
 */
export function rankedIds(search: string, postings: InvertedIndex): number[] {
  const words = parseQueryTerms(search, postings.vocabulary)
  const all = withAll(words, postings)
  const scores = all.slots.length > 0 ? all : withSome(words, postings)
  return scores.slots
    .toSorted((a, b) => scores.of(b) - scores.of(a) || postings.idIn(b) - postings.idIn(a))
    .map(slot => postings.idIn(slot))
}

function withAll(words: readonly QueryTerm[], postings: InvertedIndex): Scores {
  if (words.some(({ jobs }) => jobs === 0)) return new Scores(0)
  let found: Scores | undefined
  for (const word of words) {
    const scores = scoresOf(word, postings, found)
    for (const slot of scores.slots) scores.set(slot, scores.of(slot) + (found?.of(slot) ?? 0))
    found = scores
    if (found.slots.length === 0) break
  }
  return found ?? new Scores(0)
}

/** The more words a job has, the better it is. */
function withSome(words: readonly QueryTerm[], postings: InvertedIndex): Scores {
  const sums = new Scores(postings.capacity)
  const counts = new Uint8Array(postings.capacity)
  for (const word of words) {
    const scores = scoresOf(word, postings)
    for (const slot of scores.slots) {
      sums.set(slot, sums.of(slot) + scores.of(slot))
      counts[slot] = (counts[slot] ?? 0) + 1
    }
  }
  for (const slot of sums.slots) sums.set(slot, sums.of(slot) * (counts[slot] ?? 0))
  return sums
}

/** What each job scores by its best match of a word. */
function scoresOf(word: QueryTerm, postings: InvertedIndex, among?: Scores): Scores {
  const best = new Scores(postings.capacity)
  const valueOf = (match: string) => closeness(word, match) * rareness(match, postings)
  const tell: VisitMatch = (slot, place, value) => {
    if (among?.of(slot) === 0) return
    const score = value * placeWeight(place, postings.wordCount(slot, place))
    if (score > best.of(slot)) best.set(slot, score)
  }
  const matches = among && word.matches()
  if (matches && among.slots.length * matches.length * LOOK < word.jobs)
    postings.visitAmong(among.slots, matches, valueOf, tell)
  else postings.visit(word, valueOf, tell)
  return best
}

const placeWeight = (place: number, words: number) =>
  (WEIGHTS[place] ?? 0) * (1 + (SHORTNESS * MIDDLING) / (MIDDLING + words))

/** How much what a job has is what was asked for; 1 is the same. */
function closeness({ text, compound, known, prefix, begun }: QueryTerm, match: string): number {
  if (match === text || match === compound) return 1
  if (prefix && match.startsWith(text)) return ((known ? LONGER_KNOWN : LONGER) * text.length) / match.length
  return begun ? SLIP_BEGUN : SLIP
}

/** How much a word tells of a job: the fewer have it, the more (the inverse document frequency of BM25). */
function rareness(word: string, { vocabulary, size }: InvertedIndex): number {
  const jobs = vocabulary.jobsWith(word)
  return Math.log(1 + (size - jobs + 0.5) / (jobs + 0.5))
}
