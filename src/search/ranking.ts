import { FIELDS, type SearchField } from './fields.ts'
import type { InvertedIndex, VisitMatch } from './invertedIndex.ts'
import { parseQuery } from './query.ts'
import type { QueryTerm } from './queryTerm.ts'
import { Synonyms } from './synonyms.ts'

/** A match in the title weighs more than one in the company, that more than the rest. */
const WEIGHT: Readonly<Record<SearchField, number>> = { title: 8, company: 6, location: 2, rest: 1 }
const WEIGHTS = FIELDS.map(field => WEIGHT[field])
/** What a match gains at most by being in a short text: too little for a company to outweigh a title. */
const SHORTNESS = 1 / 3
/** Terms in a text with which a match gains half of that. */
const MIDDLING = 8

/** How many jobs of a term are visited in the time in which one job is looked up among them. */
const LOOK_UP = 8

/** How the jobs that a search found match it. */
export interface SearchMatch {
  /** Whether they have all words of the search, or some. */
  readonly match: 'all' | 'some'
  /** The search with its typing errors corrected, if there were any; in lower case and without accents. */
  readonly corrected: string | undefined
}

export interface Found extends SearchMatch {
  /** The ids of jobs, the best first. */
  readonly ids: Float64Array
}

/** How well jobs match, by their positions. */
class Scores {
  /** The positions of those that match, each once. */
  readonly positions: number[] = []
  private readonly values: Float64Array

  constructor(capacity: number) {
    this.values = new Float64Array(capacity)
  }

  /** 0 of a job that does not match. */
  of(position: number): number {
    return this.values[position] ?? 0
  }

  set(position: number, score: number): void {
    if (this.values[position] === 0) this.positions.push(position)
    this.values[position] = score
  }
}

const NO_SYNONYMS = new Synonyms([])

/**
 * The jobs that have every word of the search; if there are none, those that have some. The best come first,
 * among equals the higher id. A search without any word finds nothing.
 */
export function findJobs(search: string, index: InvertedIndex, synonyms = NO_SYNONYMS): Found {
  const { terms, optional, corrected } = parseQuery(search, index, synonyms)
  const all = withAll(terms, index)
  const match = all.positions.length > 0 ? 'all' : 'some'
  const scores = match === 'all' ? all : withSome(terms, index)
  for (const term of optional) addScores(scores, scoresOf(term, index, scores))
  return { ids: inOrder(scores, index), match, corrected }
}

function withAll(terms: readonly QueryTerm[], index: InvertedIndex): Scores {
  if (terms.some(({ jobs }) => jobs === 0)) return new Scores(0)
  let found: Scores | undefined
  for (const term of terms) {
    const scores = scoresOf(term, index, found)
    for (const position of scores.positions)
      scores.set(position, scores.of(position) + (found?.of(position) ?? 0))
    found = scores
    if (found.positions.length === 0) break
  }
  return found ?? new Scores(0)
}

function addScores(scores: Scores, more: Scores): void {
  for (const position of more.positions) scores.set(position, scores.of(position) + more.of(position))
}

/** The more words a job has, the better it is. */
function withSome(terms: readonly QueryTerm[], index: InvertedIndex): Scores {
  const sums = new Scores(index.capacity)
  const counts = new Uint8Array(index.capacity)
  for (const term of terms) {
    const scores = scoresOf(term, index)
    for (const position of scores.positions) {
      sums.set(position, sums.of(position) + scores.of(position))
      counts[position] = (counts[position] ?? 0) + 1
    }
  }
  for (const position of sums.positions) sums.set(position, sums.of(position) * (counts[position] ?? 0))
  return sums
}

/** What each job scores by its best match of a word. */
function scoresOf(term: QueryTerm, index: InvertedIndex, among?: Scores): Scores {
  const best = new Scores(index.capacity)
  const isFew = among && among.positions.length * term.values.size * LOOK_UP < term.jobs
  for (const [number, value] of term.values) {
    const visit: VisitMatch = (position, field, terms) => {
      if (among?.of(position) === 0) return
      const score = value * fieldWeight(field, terms)
      if (score > best.of(position)) best.set(position, score)
    }
    if (isFew) index.visitAmong(among.positions, number, visit)
    else index.visit(number, visit)
  }
  for (const phrase of term.phrases) {
    const scores = withAll(phrase, index)
    for (const position of scores.positions)
      if (among?.of(position) !== 0 && scores.of(position) > best.of(position))
        best.set(position, scores.of(position))
  }
  return best
}

const fieldWeight = (field: number, terms: number) =>
  (WEIGHTS[field] ?? 0) * (1 + (SHORTNESS * MIDDLING) / (MIDDLING + terms))

/** Room for a position beside its score in a number that is exact, and so for as many jobs. */
const POSITIONS = 2 ** 21

/** The ids of jobs by their scores. Numbers are sorted, as a comparing function takes ten times as long. */
function inOrder(scores: Scores, index: InvertedIndex): Float64Array {
  const { length } = scores.positions
  const score = new Float32Array(length)
  const sorted = new Float64Array(length)
  const bits = new Uint32Array(score.buffer)
  scores.positions.forEach((position, at) => {
    score[at] = scores.of(position)
    sorted[at] = (bits[at] ?? 0) * POSITIONS + position
  })
  sorted.sort().reverse()
  const ids = new Float64Array(length)
  for (let at = 0; at < length; at++) ids[at] = index.idAt((sorted[at] ?? 0) % POSITIONS)
  const scoreAt = (at: number) => Math.floor((sorted[at] ?? 0) / POSITIONS)
  for (let start = 0, end = 1; end <= ids.length; end++) {
    if (end < ids.length && scoreAt(end) === scoreAt(start)) continue
    if (end - start > 1) ids.subarray(start, end).sort().reverse()
    start = end
  }
  return ids
}
