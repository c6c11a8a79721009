import type { InvertedIndex, VisitMatch } from './invertedIndex.ts'
import { parseQuery } from './query.ts'
import type { QueryTerm } from './queryTerm.ts'
import { FIELDS, type SearchField } from './searchableJob.ts'
import type { SearchResult } from './searchMessages.ts'
import { Synonyms } from './synonyms.ts'

/** The weights of fields: a match in the title counts more than one in the company, and that more than others. */
const WEIGHT_OF_FIELD: Readonly<Record<SearchField, number>> = { title: 8, company: 6, location: 2, rest: 1 }
const FIELD_WEIGHTS = FIELDS.map(field => WEIGHT_OF_FIELD[field])
/** The maximum bonus of a match in a short text, too small for a company to outweigh a title. */
const MAX_SHORTNESS_BONUS = 1 / 3
/** The number of terms in a text at which a match gets half of the bonus. */
const HALF_BONUS_LENGTH = 8

/** The cost of looking up one job of a term, in jobs that could be visited in the same time. */
const LOOKUP_COST = 8

/** The scores of jobs, by their positions. */
class Scores {
  /** The positions of the matching jobs, without duplicates. */
  readonly positions: number[] = []
  private readonly values: Float64Array

  constructor(capacity: number) {
    this.values = new Float64Array(capacity)
  }

  /** The score of each job, 0 if it doesn't match. */
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
 * Returns the jobs that have all words of the search or, if there are none, those that have some. The best come first, and
 * among equals the higher id. A search without words finds nothing.
 */
export function findJobs(search: string, index: InvertedIndex, synonyms = NO_SYNONYMS): SearchResult {
  const { terms, optional, corrected } = parseQuery(search, index, synonyms)
  const all = withAll(terms, index)
  const match = all.positions.length > 0 ? 'all' : 'some'
  const scores = match === 'all' ? all : withSome(terms, index)
  for (const term of optional) addScores(scores, scoresOf(term, index, scores))
  return { ids: sortedIds(scores, index), match, corrected }
}

function withAll(terms: readonly QueryTerm[], index: InvertedIndex): Scores {
  if (terms.some(({ frequency }) => frequency === 0)) return new Scores(0)
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

/** Ranks jobs with more of the words higher. */
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

/** Scores each job by its best match of a word. */
function scoresOf(term: QueryTerm, index: InvertedIndex, among?: Scores): Scores {
  const best = new Scores(index.capacity)
  const isFew = among && among.positions.length * term.weights.size * LOOKUP_COST < term.frequency
  for (const [number, value] of term.weights) {
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
  (FIELD_WEIGHTS[field] ?? 0) * (1 + (MAX_SHORTNESS_BONUS * HALF_BONUS_LENGTH) / (HALF_BONUS_LENGTH + terms))

/** The maximum number of jobs: a score and a position are stored in one exact number. */
const MAX_POSITIONS = 2 ** 21

/** Returns the ids of jobs by their scores. It sorts numbers, because a comparison function is ten times slower. */
function sortedIds(scores: Scores, index: InvertedIndex): Float64Array {
  const { length } = scores.positions
  const score = new Float32Array(length)
  const sorted = new Float64Array(length)
  const bits = new Uint32Array(score.buffer)
  scores.positions.forEach((position, at) => {
    score[at] = scores.of(position)
    sorted[at] = (bits[at] ?? 0) * MAX_POSITIONS + position
  })
  sorted.sort().reverse()
  const ids = new Float64Array(length)
  for (let at = 0; at < length; at++) ids[at] = index.idAt((sorted[at] ?? 0) % MAX_POSITIONS)
  const scoreAt = (at: number) => Math.floor((sorted[at] ?? 0) / MAX_POSITIONS)
  for (let start = 0, end = 1; end <= ids.length; end++) {
    if (end < ids.length && scoreAt(end) === scoreAt(start)) continue
    if (end - start > 1) ids.subarray(start, end).sort().reverse()
    start = end
  }
  return ids
}
