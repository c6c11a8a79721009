import { termsByField } from './jobTerms.ts'
import { detectLanguages } from './languages.ts'
import { hashOfJob, hashOfTexts, NAME_FIELDS, type SearchableJob } from './searchableJob.ts'
import { buildSegment, FIELD_BITS, FIELD_MASK, findTerm, type IndexedJob, type Segment } from './segment.ts'
import { SegmentList } from './segmentList.ts'
import { TermCache } from './termCache.ts'
import { Vocabulary } from './vocabulary.ts'

/** A range of occurrences of a term in a segment. */
export interface TermRange {
  readonly segment: Segment
  /** The position of the segment's first job. */
  readonly base: number
  readonly from: number
  /** The end of the range, which is not part of it. */
  readonly to: number
}

/** An inverted index: the jobs of each term, and the fields that contain it. */
export class InvertedIndex {
  /** The matches of words in recent searches. */
  readonly termCache = new TermCache()
  private readonly segments = new SegmentList(() => this.dropUnusedTerms())

  /** @param segments the segments, whose terms are numbers of the vocabulary */
  constructor(
    readonly vocabulary = new Vocabulary(),
    segments: readonly Segment[] = [],
  ) {
    for (const segment of segments) this.segments.append(segment)
  }

  /** The number of jobs. */
  get size(): number {
    return this.segments.size
  }

  /** The upper bound of positions. A job's position stays the same during a search. */
  get capacity(): number {
    return this.segments.capacity
  }

  /** Returns the id of the job at a position. */
  idAt(position: number): number {
    return this.segments.idAt(position)
  }

  /**
   * Adds jobs, or replaces them. Each may be given only once.
   * @returns the errors of jobs that could not be added; the others were
   */
  put(jobs: readonly SearchableJob[]): string[] {
    this.termCache.clear()
    const indexed: IndexedJob[] = []
    const failures: string[] = []
    for (const job of jobs)
      try {
        const hash = hashOfJob(hashOfTexts(job), job.category, job.term)
        if (this.segments.hashOf(job.id) === hash) continue
        this.remove(job.id)
        indexed.push({ id: job.id, hash, terms: this.termsOf(job) })
      } catch (error) {
        this.remove(job.id)
        failures.push(`job ${job.id}: ${String(error)}`)
      }
    if (indexed.length > 0) this.segments.append(buildSegment(indexed))
    return failures
  }

  remove(id: number): void {
    this.termCache.clear()
    this.segments.remove(id)
  }

  /** Returns the id of every job, followed by its hash. */
  hashes(): Float64Array {
    const all = new Float64Array(2 * this.size)
    let at = 0
    for (const { ids, hashes, removed } of this.segments.all)
      for (let job = 0; job < ids.length; job++) {
        if (removed[job] !== 0) continue
        all[at++] = ids[job] ?? 0
        all[at++] = hashes[job] ?? 0
      }
    return all
  }

  /** Returns the segments as they are now. Later changes don't affect them. */
  snapshot(): readonly Segment[] {
    return this.segments.all.map(segment => ({ ...segment, removed: segment.removed.slice() }))
  }

  /** Returns the number of jobs that have a term. */
  frequencyOf(term: number): number {
    return this.termCache.frequencyOf(term, number => this.countJobs(number))
  }

  /** Returns the number of jobs that have a term in their title or company. Removed jobs may be among them. */
  frequencyInNames(term: number): number {
    let jobs = 0
    for (const { segment, from, to } of this.rangesOf(term))
      for (let i = from; i < to; i++) if (((segment.occurrences[i] ?? 0) & FIELD_MASK) < NAME_FIELDS) jobs++
    return jobs
  }

  private countJobs(term: number): number {
    let jobs = 0
    for (const { segment, from, to } of this.rangesOf(term)) {
      jobs += to - from
      const { occurrences, removed, removedJobs } = segment
      if (removedJobs === 0) continue
      for (let i = from; i < to; i++) jobs -= removed[(occurrences[i] ?? 0) >>> FIELD_BITS] ?? 0
    }
    return jobs
  }

  /** Returns where the occurrences of a term are. Removed jobs may be among them. */
  rangesOf(term: number): TermRange[] {
    const ranges: TermRange[] = []
    const { all } = this.segments
    for (let at = 0; at < all.length; at++) {
      const segment = all[at]
      const slot = segment ? findTerm(segment.terms, term) : -1
      if (segment && slot >= 0)
        ranges.push({
          segment,
          base: this.segments.baseOf(at),
          from: segment.starts[slot] ?? 0,
          to: segment.starts[slot + 1] ?? 0,
        })
    }
    return ranges
  }

  /** Whether `mergeStep` has anything to do. */
  get needsMerge(): boolean {
    return this.segments.needsMerge
  }

  /** Merges segments for about a millisecond. */
  mergeStep(): void {
    this.segments.mergeStep()
  }

  private termsOf(job: SearchableJob): number[][] {
    const terms = termsByField(job, this.vocabulary)
    const all = terms.flat()
    this.vocabulary.addLanguages(
      all,
      detectLanguages(all.map(term => this.vocabulary.stopWordLanguagesOf(term))),
    )
    return terms
  }

  private dropUnusedTerms() {
    const used = new Set<number>()
    for (const { terms } of this.segments.all) for (const term of terms) used.add(term)
    this.vocabulary.retain(used)
  }
}
