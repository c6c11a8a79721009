/** The number of bits in a occurrence that hold the field. The other bits hold the job's number in the segment. */
export const FIELD_BITS = 2
export const FIELD_MASK = (1 << FIELD_BITS) - 1

/** A job to be added to a segment. */
export interface IndexedJob {
  readonly id: number
  readonly hash: number
  /** The numbers of its terms, by field. */
  readonly terms: readonly (readonly number[])[]
}

/** The columns of a segment, in their order in a file. */
export const COLUMNS = [
  ['ids', Float64Array],
  ['hashes', Float64Array],
  ['lengths', Uint16Array],
  ['terms', Uint32Array],
  ['starts', Uint32Array],
  ['occurrences', Uint32Array],
  ['removed', Uint8Array],
] as const

/**
 * A part of the index that is written once: some jobs, and for each term the occurrences where it occurs. The jobs of a segment
 * are numbered from 0. Only `removed` changes.
 */
export interface Columns {
  /** The id of each job. */
  readonly ids: Float64Array<ArrayBuffer>
  /** The hash of each job's texts. */
  readonly hashes: Float64Array<ArrayBuffer>
  /** The number of terms in each field of each job. */
  readonly lengths: Uint16Array<ArrayBuffer>
  /** The terms of its jobs, in ascending order. */
  readonly terms: Uint32Array<ArrayBuffer>
  /** The index of the first occurrence of each term, and the index after the last occurrence. */
  readonly starts: Uint32Array<ArrayBuffer>
  /** The occurrences: a job and a field in one number, in ascending order for each term. */
  readonly occurrences: Uint32Array<ArrayBuffer>
  /** 1 for each job that has been removed. */
  readonly removed: Uint8Array<ArrayBuffer>
}

export interface Segment extends Columns {
  /** The number of removed jobs. */
  removedJobs: number
}

export const withRemovedCount = (columns: Columns): Segment => ({
  ...columns,
  removedJobs: columns.removed.reduce((count, removed) => count + removed, 0),
})

/** Creates a segment of new jobs. */
export function buildSegment(jobs: readonly IndexedJob[]): Segment {
  const keys: number[] = []
  jobs.forEach(({ terms }, job) =>
    terms.forEach((some, field) => {
      for (const term of some) keys.push(term * 2 ** 32 + ((job << FIELD_BITS) | field))
    }),
  )
  const sorted = Float64Array.from(keys).sort()
  const occurrences = new Uint32Array(sorted.length)
  const terms: number[] = []
  const starts: number[] = []
  sorted.forEach((key, at) => {
    const term = Math.floor(key / 2 ** 32)
    occurrences[at] = key - term * 2 ** 32
    if (terms.at(-1) === term) return
    terms.push(term)
    starts.push(at)
  })
  return {
    ids: Float64Array.from(jobs, ({ id }) => id),
    hashes: Float64Array.from(jobs, ({ hash }) => hash),
    lengths: Uint16Array.from(jobs.flatMap(job => job.terms.map(({ length }) => length))),
    terms: Uint32Array.from(terms),
    starts: Uint32Array.from([...starts, sorted.length]),
    occurrences,
    removed: new Uint8Array(jobs.length),
    removedJobs: 0,
  }
}

/** Returns the index of a term in the ascending terms of a segment; -1 if no job has it. */
export function findTerm(terms: Uint32Array, term: number): number {
  const at = lowerBound(terms, term, 0, terms.length)
  return terms[at] === term ? at : -1
}

/** Returns the index of the first number not below `wanted` in a range of a sorted array, or the end of the range. */
export function lowerBound(numbers: Uint32Array, wanted: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Removes a job from a segment, by its number there. */
export function markRemoved(segment: Segment, job: number): void {
  if (segment.removed[job] !== 0) return
  segment.removed[job] = 1
  segment.removedJobs++
}
