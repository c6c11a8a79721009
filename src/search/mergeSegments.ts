import { FIELDS } from './searchableJob.ts'
import { FIELD_BITS, FIELD_MASK, markRemoved, type Segment } from './segment.ts'

/** The number of occurrences that are copied before other work gets its turn. */
const STEP_SIZE = 200_000

/**
 * Merges segments into one, without the removed jobs. It yields regularly, so that the caller can do other work. Jobs that
 * are removed during that are copied and marked as removed.
 */
export function* mergeSegments(segments: readonly Segment[]): Generator<undefined, Segment> {
  const newNumbers = renumber(segments)
  const merged = emptySegment(segments, newNumbers)
  /** The index of the next term of each segment. */
  const next = new Uint32Array(segments.length)
  let term = 0
  let end = 0
  let stepEnd = STEP_SIZE
  for (const number of unionOfTerms(segments)) {
    const start = end
    segments.forEach((segment, at) => {
      const slot = next[at] ?? 0
      if (segment.terms[slot] !== number) return
      next[at] = slot + 1
      const numbers = newNumbers[at] ?? new Int32Array()
      const stop = segment.starts[slot + 1] ?? 0
      for (let i = segment.starts[slot] ?? 0; i < stop; i++) {
        const occurrence = segment.occurrences[i] ?? 0
        const job = numbers[occurrence >>> FIELD_BITS] ?? -1
        if (job >= 0) merged.occurrences[end++] = (job << FIELD_BITS) | (occurrence & FIELD_MASK)
      }
    })
    if (end > start) {
      merged.terms[term] = number
      merged.starts[term++] = start
    }
    if (end < stepEnd) continue
    stepEnd = end + STEP_SIZE
    yield
  }
  merged.starts[term] = end
  copyRemovedMarks(segments, newNumbers, merged)
  return {
    ...merged,
    terms: merged.terms.slice(0, term),
    starts: merged.starts.slice(0, term + 1),
    occurrences: end === merged.occurrences.length ? merged.occurrences : merged.occurrences.slice(0, end),
  }
}

/** Returns the new number of each job in the merged segment; -1 for removed ones. */
function renumber(segments: readonly Segment[]): Int32Array[] {
  let next = 0
  return segments.map(({ removed }) => Int32Array.from(removed, gone => (gone === 0 ? next++ : -1)))
}

/** Creates a segment with all jobs, and space for their occurrences. */
function emptySegment(segments: readonly Segment[], newNumbers: readonly Int32Array[]): Segment {
  const sum = (of: (segment: Segment) => number) => segments.reduce((total, one) => total + of(one), 0)
  const jobs = newNumbers.reduce((total, numbers) => total + numbers.filter(job => job >= 0).length, 0)
  const merged = {
    ids: new Float64Array(jobs),
    hashes: new Float64Array(jobs),
    lengths: new Uint16Array(jobs * FIELDS.length),
    terms: new Uint32Array(sum(({ terms }) => terms.length)),
    starts: new Uint32Array(sum(({ terms }) => terms.length) + 1),
    occurrences: new Uint32Array(sum(({ occurrences }) => occurrences.length)),
    removed: new Uint8Array(jobs),
    removedJobs: 0,
  }
  segments.forEach(({ ids, hashes, lengths }, at) =>
    newNumbers[at]?.forEach((job, before) => {
      if (job < 0) return
      merged.ids[job] = ids[before] ?? 0
      merged.hashes[job] = hashes[before] ?? 0
      const start = before * FIELDS.length
      merged.lengths.set(lengths.subarray(start, start + FIELDS.length), job * FIELDS.length)
    }),
  )
  return merged
}

/** Returns all terms of some segments in ascending order, without duplicates. */
function unionOfTerms(segments: readonly Segment[]): Uint32Array {
  const all = new Uint32Array(segments.reduce((total, { terms }) => total + terms.length, 0))
  let end = 0
  for (const { terms } of segments) {
    all.set(terms, end)
    end += terms.length
  }
  all.sort()
  let last = 0
  for (let at = 1; at < all.length; at++) if (all[at] !== all[last]) all[++last] = all[at] ?? 0
  return all.subarray(0, Math.min(all.length, last + 1))
}

function copyRemovedMarks(segments: readonly Segment[], newNumbers: readonly Int32Array[], merged: Segment) {
  segments.forEach(({ removed }, at) =>
    newNumbers[at]?.forEach((job, before) => {
      if (job >= 0 && removed[before] !== 0) markRemoved(merged, job)
    }),
  )
}
