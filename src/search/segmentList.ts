import { mergeSegments } from './mergeSegments.ts'
import { removeFrom, type Segment } from './segment.ts'

/** A segment is merged with those after it once it has no more than this many times their jobs. */
const GROWTH = 2
/** The share of jobs that may be removed before all is rewritten without them. */
const MOST_REMOVED = 0.25

/**
 * Segments, one after another. While a job is here it has a position: its segment's base and its number there. So what a
 * search finds out of each job can stand in an array.
 */
export class SegmentList {
  private segments: Segment[] = []
  /** The position of the first job of each segment, and of the next job to come. */
  private bases: number[] = [0]
  private readonly positions = new Map<number, number>()
  private merge: Iterator<unknown, void> | undefined

  /** @param purged told when what was removed is gone */
  constructor(private readonly purged: () => void) {}

  get all(): readonly Segment[] {
    return this.segments
  }

  /** How many jobs there are. */
  get size(): number {
    return this.positions.size
  }

  /** All positions are below this. */
  get capacity(): number {
    return this.bases.at(-1) ?? 0
  }

  /** The position of the first job of a segment. */
  baseOf(at: number): number {
    return this.bases[at] ?? 0
  }

  /** Which of the segments has the job at a position. */
  segmentAt(position: number): number {
    let at = this.segments.length - 1
    while (at > 0 && this.baseOf(at) > position) at--
    return at
  }

  /** The id of the job at a position. */
  idAt(position: number): number {
    const at = this.segmentAt(position)
    return this.segments[at]?.ids[position - this.baseOf(at)] ?? 0
  }

  /** The hash of a job; undefined if it is not here. */
  hashOf(id: number): number | undefined {
    const position = this.positions.get(id)
    if (position === undefined) return undefined
    const at = this.segmentAt(position)
    return this.segments[at]?.hashes[position - this.baseOf(at)]
  }

  append(segment: Segment): void {
    this.segments.push(segment)
    this.place(this.segments.length - 1)
  }

  remove(id: number): void {
    const position = this.positions.get(id)
    if (position === undefined) return
    const at = this.segmentAt(position)
    const segment = this.segments[at]
    if (segment) removeFrom(segment, position - this.baseOf(at))
    this.positions.delete(id)
  }

  /** Whether there is something to be merged. */
  get isUntidy(): boolean {
    return this.merge !== undefined || this.firstToMerge() < this.segments.length
  }

  /** Merges for about a millisecond. Searches and changes may come in between. */
  tidy(): void {
    this.merge ??= this.merged(this.firstToMerge())
    if (this.merge.next().done === true) this.merge = undefined
  }

  /** The first segment that is to be merged with those after it; the number of all if none is. */
  private firstToMerge(): number {
    if (this.size < this.capacity * (1 - MOST_REMOVED)) return 0
    let first = this.segments.length - 1
    let jobs = this.segments[first]?.ids.length ?? 0
    while (first > 0 && (this.segments[first - 1]?.ids.length ?? 0) <= GROWTH * jobs)
      jobs += this.segments[--first]?.ids.length ?? 0
    return first < this.segments.length - 1 ? first : this.segments.length
  }

  private *merged(first: number): Generator<undefined, void> {
    const before = this.segments.slice(first)
    const isPurge = first === 0 && before.some(({ removedJobs }) => removedJobs > 0)
    const segment = yield* mergeSegments(before)
    this.segments.splice(first, before.length, ...(segment.ids.length > 0 ? [segment] : []))
    this.place(first)
    if (isPurge) this.purged()
  }

  /** Gives the jobs their positions, from one segment on. */
  private place(first: number) {
    this.bases.length = first + 1
    for (const { ids, removed } of this.segments.slice(first)) {
      const base = this.capacity
      ids.forEach((id, job) => {
        if (removed[job] === 0) this.positions.set(id, base + job)
      })
      this.bases.push(base + ids.length)
    }
  }
}
