import { termsByField } from './jobTerms.ts'
import { detectLanguages } from './languages.ts'
import { FIELDS, hashOfJob, hashOfTexts, type SearchableJob } from './searchableJob.ts'
import {
  buildSegment,
  FIELD_BITS,
  FIELD_MASK,
  findOccurrences,
  type IndexedJob,
  lowerBound,
  type Segment,
} from './segment.ts'
import { SegmentList } from './segmentList.ts'
import { Vocabulary } from './vocabulary.ts'

/** Called for a job that has a term, with its position, the field's index in FIELDS, and the field's number of terms. */
export type VisitMatch = (position: number, field: number, terms: number) => void

/** An inverted index: the jobs of each term, and the fields that contain it. */
export class InvertedIndex {
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
    this.segments.remove(id)
  }

  /** Yields the id and the hash of every job. */
  *hashes(): Generator<readonly [id: number, hash: number]> {
    for (const { ids, hashes, removed } of this.segments.all)
      for (let job = 0; job < ids.length; job++)
        if (removed[job] === 0) yield [ids[job] ?? 0, hashes[job] ?? 0]
  }

  /** Returns the segments as they are now. Later changes don't affect them. */
  snapshot(): readonly Segment[] {
    return this.segments.all.map(segment => ({ ...segment, removed: segment.removed.slice() }))
  }

  /** Returns the number of jobs that have a term. */
  jobsWith(term: number): number {
    let jobs = 0
    for (const { terms, starts, occurrences, removed, removedJobs } of this.segments.all) {
      const [from, to] = findOccurrences(terms, starts, term)
      jobs += to - from
      if (removedJobs === 0) continue
      for (let i = from; i < to; i++) jobs -= removed[(occurrences[i] ?? 0) >>> FIELD_BITS] ?? 0
    }
    return jobs
  }

  /** Visits every job that has a term. */
  visit(term: number, visit: VisitMatch): void {
    this.segments.all.forEach(({ terms, starts, occurrences, removed, lengths }, at) => {
      const base = this.segments.baseOf(at)
      const [from, to] = findOccurrences(terms, starts, term)
      for (let i = from; i < to; i++) {
        const occurrence = occurrences[i] ?? 0
        const job = occurrence >>> FIELD_BITS
        const field = occurrence & FIELD_MASK
        if (removed[job] === 0) visit(base + job, field, lengths[job * FIELDS.length + field] ?? 0)
      }
    })
  }

  /** Visits only the jobs at some positions that have a term, which is faster if there are few. */
  visitAmong(positions: readonly number[], term: number, visit: VisitMatch): void {
    const ranges = this.segments.all.map(({ terms, starts }) => findOccurrences(terms, starts, term))
    for (const position of positions) {
      const at = this.segments.segmentAt(position)
      const segment = this.segments.all[at]
      const [from, to] = ranges[at] ?? [0, 0]
      if (!segment || from === to) continue
      const job = position - this.segments.baseOf(at)
      const i = lowerBound(segment.occurrences, job << FIELD_BITS, from, to)
      const occurrence = segment.occurrences[i] ?? 0
      const field = occurrence & FIELD_MASK
      if (i < to && occurrence >>> FIELD_BITS === job)
        visit(position, field, segment.lengths[job * FIELDS.length + field] ?? 0)
    }
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
    for (const [, number] of [...this.vocabulary.entries()])
      if (!used.has(number)) this.vocabulary.remove(number)
  }
}
