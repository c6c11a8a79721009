import { fieldWeight } from './fieldWeight.ts'
import type { InvertedIndex } from './invertedIndex.ts'
import { parseQuery } from './query.ts'
import type { QueryTerm } from './queryTerm.ts'
import { Scores } from './scores.ts'
import { FIELDS, NAME_FIELDS } from './searchableJob.ts'
import type { SearchResult } from './searchMessages.ts'
import { FIELD_BITS, FIELD_MASK, lowerBound } from './segment.ts'
import { Synonyms } from './synonyms.ts'

/** The cost of looking up one job of a term, in jobs that could be visited in the same time. */
const LOOKUP_COST = 8

const NO_SYNONYMS = new Synonyms([])

/**
 * Returns the jobs that have all words of the search or, if there are none, those that have some. The best come first, and
 * among equals the higher id. A search without words finds nothing.
 */
export function findJobs(search: string, index: InvertedIndex, synonyms = NO_SYNONYMS): SearchResult {
  const { terms, optional, corrected } = parseQuery(search, index, synonyms)
  const all = withAll(terms, index)
  const match = all.count > 0 ? 'all' : 'some'
  const scores = match === 'all' ? all : withSome(terms, index)
  for (const term of optional) {
    const more = scoresOf(term, index, scores, NAME_FIELDS)
    addScores(scores, more)
    more.release()
  }
  const ids = sortedIds(scores, index)
  scores.release()
  return { ids, match, corrected }
}

function withAll(terms: readonly QueryTerm[], index: InvertedIndex): Scores {
  if (terms.some(({ frequency }) => frequency === 0)) return Scores.create(0)
  let found: Scores | undefined
  for (const term of terms) {
    const scores = scoresOf(term, index, found)
    if (found) {
      for (let at = 0; at < scores.count; at++) {
        const position = scores.positions[at] ?? 0
        scores.values[position] = scores.get(position) + found.get(position)
      }
      found.release()
    }
    found = scores
    if (found.count === 0) break
  }
  return found ?? Scores.create(0)
}

function addScores(scores: Scores, more: Scores): void {
  for (let at = 0; at < more.count; at++) {
    const position = more.positions[at] ?? 0
    scores.set(position, scores.get(position) + more.get(position))
  }
}

/** Ranks jobs with more of the words higher. */
function withSome(terms: readonly QueryTerm[], index: InvertedIndex): Scores {
  const sums = Scores.create(index.capacity)
  const counts = new Uint8Array(index.capacity)
  for (const term of terms) {
    const scores = scoresOf(term, index)
    addScores(sums, scores)
    for (let at = 0; at < scores.count; at++) {
      const position = scores.positions[at] ?? 0
      counts[position] = (counts[position] ?? 0) + 1
    }
    scores.release()
  }
  for (let at = 0; at < sums.count; at++) {
    const position = sums.positions[at] ?? 0
    sums.values[position] = sums.get(position) * (counts[position] ?? 0)
  }
  return sums
}

/**
 * Scores each job by its best match of a word.
 * @param among the only jobs that matter
 * @param fields the number of fields that matter, of the first
 */
function scoresOf(
  term: QueryTerm,
  index: InvertedIndex,
  among?: Scores,
  fields: number = FIELDS.length,
): Scores {
  const best = Scores.create(index.capacity)
  const { numbers, weights } = term
  const isFew = among && among.count * numbers.length * LOOKUP_COST < term.frequency
  for (let at = 0; at < numbers.length; at++) {
    const [number = 0, weight = 0] = [numbers[at], weights[at]]
    if (isFew) addFew(best, index, number, weight, among, fields)
    else addAll(best, index, number, weight, among, fields)
  }
  for (const phrase of term.phrases) {
    const scores = withAll(phrase, index)
    for (let at = 0; at < scores.count; at++) {
      const position = scores.positions[at] ?? 0
      if (among?.get(position) !== 0) best.raise(position, scores.get(position))
    }
    scores.release()
  }
  return best
}

/** Scores all jobs that have a term. Most of the time of a search is spent in this loop. */
function addAll(
  best: Scores,
  index: InvertedIndex,
  term: number,
  weight: number,
  among: Scores | undefined,
  fields: number,
): void {
  const wanted = among?.values
  for (const { segment, base, from, to } of index.rangesOf(term)) {
    const { occurrences, removed, lengths } = segment
    for (let i = from; i < to; i++) {
      const occurrence = occurrences[i] ?? 0
      const job = occurrence >>> FIELD_BITS
      if ((occurrence & FIELD_MASK) >= fields) continue
      if (removed[job] !== 0 || (wanted && wanted[base + job] === 0)) continue
      best.raise(base + job, weight * fieldWeight(occurrence & FIELD_MASK, lengths, job))
    }
  }
}

/** Looks a term up in each of some jobs, which is faster if there are few. */
function addFew(
  best: Scores,
  index: InvertedIndex,
  term: number,
  weight: number,
  among: Scores,
  fields: number,
): void {
  const ranges = index.rangesOf(term)
  for (let at = 0; at < among.count; at++) {
    const position = among.positions[at] ?? 0
    const range = ranges.find(({ base, segment }) => position >= base && position < base + segment.ids.length)
    if (!range) continue
    const { segment, base, from, to } = range
    const job = position - base
    const i = lowerBound(segment.occurrences, job << FIELD_BITS, from, to)
    const occurrence = segment.occurrences[i] ?? 0
    if (i < to && occurrence >>> FIELD_BITS === job && (occurrence & FIELD_MASK) < fields)
      best.raise(position, weight * fieldWeight(occurrence & FIELD_MASK, segment.lengths, job))
  }
}

/** The maximum number of jobs: a score and a position are stored in one exact number. */
const MAX_POSITIONS = 2 ** 21

/** Returns the ids of jobs by their scores. It sorts numbers, because a comparison function is ten times slower. */
function sortedIds({ positions, values, count }: Scores, index: InvertedIndex): Float64Array {
  const score = new Float32Array(1)
  const bits = new Uint32Array(score.buffer)
  const sorted = new Float64Array(count)
  for (let at = 0; at < count; at++) {
    const position = positions[at] ?? 0
    score[0] = values[position] ?? 0
    sorted[at] = (bits[0] ?? 0) * MAX_POSITIONS + position
  }
  sorted.sort()
  const ids = new Float64Array(count)
  let start = 0
  let last = -1
  for (let at = 0; at < count; at++) {
    const key = sorted[count - 1 - at] ?? 0
    const rounded = Math.floor(key / MAX_POSITIONS)
    ids[at] = index.idAt(key - rounded * MAX_POSITIONS)
    if (rounded === last) continue
    sortDescending(ids, start, at)
    start = at
    last = rounded
  }
  sortDescending(ids, start, count)
  return ids
}

function sortDescending(ids: Float64Array, from: number, to: number): void {
  if (to - from > 1) ids.subarray(from, to).sort().reverse()
}
