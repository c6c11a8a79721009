/** Bits of a place that say in which field it is; the rest say in which job of the segment. */
export const FIELD_BITS = 2
export const FIELD_MASK = (1 << FIELD_BITS) - 1

/** A job as a segment takes it in. */
export interface IndexedJob {
  readonly id: number
  readonly hash: number
  /** The numbers of its terms, by field. */
  readonly terms: readonly (readonly number[])[]
}

/** What a segment consists of, and in which order a file has it. */
export const COLUMNS = [
  ['ids', Float64Array],
  ['hashes', Float64Array],
  ['lengths', Uint16Array],
  ['terms', Uint32Array],
  ['starts', Uint32Array],
  ['places', Uint32Array],
  ['removed', Uint8Array],
] as const

/**
 * A part of the index that is written once: some jobs, and for each term the places where it is. Jobs are counted from
 * 0 in each segment. Only `removed` changes.
 */
export interface Columns {
  /** The id of each job. */
  readonly ids: Float64Array<ArrayBuffer>
  /** The hash of each job's texts. */
  readonly hashes: Float64Array<ArrayBuffer>
  /** How many terms each field of each job has. */
  readonly lengths: Uint16Array<ArrayBuffer>
  /** The terms that its jobs have, ascending. */
  readonly terms: Uint32Array<ArrayBuffer>
  /** Where the places of each term begin, and where the last end. */
  readonly starts: Uint32Array<ArrayBuffer>
  /** Job and field, ascending for each term. */
  readonly places: Uint32Array<ArrayBuffer>
  /** 1 for each job that is not in the index any more. */
  readonly removed: Uint8Array<ArrayBuffer>
}

export interface Segment extends Columns {
  /** How many jobs are removed. */
  removedJobs: number
}

export const withRemovedCount = (columns: Columns): Segment => ({
  ...columns,
  removedJobs: columns.removed.reduce((count, removed) => count + removed, 0),
})

/** Makes a segment of new jobs. */
export function buildSegment(jobs: readonly IndexedJob[]): Segment {
  const keys: number[] = []
  jobs.forEach(({ terms }, job) =>
    terms.forEach((some, field) => {
      for (const term of some) keys.push(term * 2 ** 32 + ((job << FIELD_BITS) | field))
    }),
  )
  const sorted = Float64Array.from(keys).sort()
  const places = new Uint32Array(sorted.length)
  const terms: number[] = []
  const starts: number[] = []
  sorted.forEach((key, at) => {
    const term = Math.floor(key / 2 ** 32)
    places[at] = key - term * 2 ** 32
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
    places,
    removed: new Uint8Array(jobs.length),
    removedJobs: 0,
  }
}

/** Where a term's places are in a segment: from the first to before the second. Empty if the term is not there. */
export function findPlaces(terms: Uint32Array, starts: Uint32Array, term: number): readonly [number, number] {
  const at = firstFrom(terms, term, 0, terms.length)
  return terms[at] === term ? [starts[at] ?? 0, starts[at + 1] ?? 0] : [0, 0]
}

/** Where the first number is that is not below another, in a part of an ascending array; its end if all are below. */
export function firstFrom(numbers: Uint32Array, wanted: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Takes a job out of a segment, by its number there. */
export function removeFrom(segment: Segment, job: number): void {
  if (segment.removed[job] !== 0) return
  segment.removed[job] = 1
  segment.removedJobs++
}
