import { mergeSegments } from './mergeSegments.ts'
import { markRemoved, type Segment } from './segment.ts'

/** A segment is merged with those after it if it has at most this many times their jobs. */
const MERGE_FACTOR = 2
/** The share of removed jobs at which all segments are rewritten without them. */
const MAX_REMOVED_SHARE = 0.25

/**
 * A list of segments. Each job has a position, which is the base of its segment plus its number there, so that a search can
 * store its results for all jobs in an array.
 */
export class SegmentList {
  private segments: Segment[] = []
  /** The position of the first job of each segment, and the position of the next new job. */
  private bases: number[] = [0]
  private readonly positions = new Map<number, number>()
  private merge: Iterator<unknown, void> | undefined

  /** @param onPurge called when the removed jobs have been deleted */
  constructor(private readonly onPurge: () => void) {}

  get all(): readonly Segment[] {
    return this.segments
  }

  /** The number of jobs. */
  get size(): number {
    return this.positions.size
  }

  /** The upper bound of positions. */
  get capacity(): number {
    return this.bases.at(-1) ?? 0
  }

  /** Returns the position of the first job of a segment. */
  baseOf(at: number): number {
    return this.bases[at] ?? 0
  }

  /** Returns the segment that has the job at a position. */
  segmentAt(position: number): number {
    let at = this.segments.length - 1
    while (at > 0 && this.baseOf(at) > position) at--
    return at
  }

  /** Returns the id of the job at a position. */
  idAt(position: number): number {
    const at = this.segmentAt(position)
    return this.segments[at]?.ids[position - this.baseOf(at)] ?? 0
  }

  /** Returns the hash of a job; undefined if it is not in the list. */
  hashOf(id: number): number | undefined {
    const position = this.positions.get(id)
    if (position === undefined) return undefined
    const at = this.segmentAt(position)
    return this.segments[at]?.hashes[position - this.baseOf(at)]
  }

  append(segment: Segment): void {
    this.segments.push(segment)
    this.updatePositions(this.segments.length - 1)
  }

  remove(id: number): void {
    const position = this.positions.get(id)
    if (position === undefined) return
    const at = this.segmentAt(position)
    const segment = this.segments[at]
    if (segment) markRemoved(segment, position - this.baseOf(at))
    this.positions.delete(id)
  }

  /** Whether any segments should be merged. */
  get needsMerge(): boolean {
    return this.merge !== undefined || this.firstToMerge() < this.segments.length
  }

  /** Merges for about a millisecond. Searches and changes may happen between two calls. */
  mergeStep(): void {
    this.merge ??= this.mergeFrom(this.firstToMerge())
    if (this.merge.next().done === true) this.merge = undefined
  }

  /** Returns the index of the first segment to merge with those after it; the number of segments if there is none. */
  private firstToMerge(): number {
    if (this.size < this.capacity * (1 - MAX_REMOVED_SHARE)) return 0
    let first = this.segments.length - 1
    let jobs = this.segments[first]?.ids.length ?? 0
    while (first > 0 && (this.segments[first - 1]?.ids.length ?? 0) <= MERGE_FACTOR * jobs)
      jobs += this.segments[--first]?.ids.length ?? 0
    return first < this.segments.length - 1 ? first : this.segments.length
  }

  private *mergeFrom(first: number): Generator<undefined, void> {
    const before = this.segments.slice(first)
    const isPurge = first === 0 && before.some(({ removedJobs }) => removedJobs > 0)
    const segment = yield* mergeSegments(before)
    this.segments.splice(first, before.length, ...(segment.ids.length > 0 ? [segment] : []))
    this.updatePositions(first)
    if (isPurge) this.onPurge()
  }

  /** Updates the positions of jobs, from one segment on. */
  private updatePositions(first: number) {
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
