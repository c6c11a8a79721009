import { type Place, PLACES, type Postings } from './postings.ts'
import { type Wanted, wordsWanted } from './wanted.ts'

/** A match in the title weighs more than one in the company, that more than the rest. */
const WEIGHTS: Readonly<Record<Place, number>> = { title: 8, company: 6, location: 2, rest: 1 }
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

/** By id, how well a job matches. */
type Scores = Map<number, number>

/**
 * The jobs that have every word of the search; if there are none, those that have some. The best come first,
 * among equals the higher id. A search without any word finds nothing.
 */
export function ranked(search: string, postings: Postings): number[] {
  const words = wordsWanted(search, postings.vocabulary)
  const all = withAll(words, postings)
  const scores = all.size > 0 ? all : withSome(words, postings)
  return [...scores].toSorted(([idA, a], [idB, b]) => b - a || idB - idA).map(([id]) => id)
}

function withAll(words: readonly Wanted[], postings: Postings): Scores {
  if (words.some(({ jobs }) => jobs === 0)) return new Map()
  let found: Scores | undefined
  for (const word of words) {
    const scores = scoresOf(word, postings, found)
    for (const [id, score] of scores) scores.set(id, score + (found?.get(id) ?? 0))
    found = scores
    if (found.size === 0) break
  }
  return found ?? new Map()
}

/** The more words a job has, the better it is. */
function withSome(words: readonly Wanted[], postings: Postings): Scores {
  const sums: Scores = new Map()
  const counts = new Map<number, number>()
  for (const word of words)
    for (const [id, score] of scoresOf(word, postings)) {
      sums.set(id, (sums.get(id) ?? 0) + score)
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  for (const [id, count] of counts) sums.set(id, (sums.get(id) ?? 0) * count)
  return sums
}

/** What each job scores by its best match of a word. */
function scoresOf(word: Wanted, postings: Postings, among?: Scores): Scores {
  const best: Scores = new Map()
  const valueOf = (match: string) => closeness(word, match) * rareness(match, postings)
  for (const place of PLACES)
    postings.visit(word, place, valueOf, (id, value) => {
      if (among && !among.has(id)) return
      const score = value * placeWeight(place, postings.wordCount(id, place))
      if (score > (best.get(id) ?? 0)) best.set(id, score)
    })
  return best
}

const placeWeight = (place: Place, words: number) =>
  WEIGHTS[place] * (1 + (SHORTNESS * MIDDLING) / (MIDDLING + words))

/** How much what a job has is what was asked for; 1 is the same. */
function closeness({ text, compound, known, prefix, begun }: Wanted, match: string): number {
  if (match === text || match === compound) return 1
  if (prefix && match.startsWith(text)) return ((known ? LONGER_KNOWN : LONGER) * text.length) / match.length
  return begun ? SLIP_BEGUN : SLIP
}

/** How much a word tells of a job: the fewer have it, the more (the inverse document frequency of BM25). */
function rareness(word: string, { vocabulary, size }: Postings): number {
  const jobs = vocabulary.jobsWith(word)
  return Math.log(1 + (size - jobs + 0.5) / (jobs + 0.5))
}
