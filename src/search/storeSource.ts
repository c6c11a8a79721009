import type { JobRow, LabelRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { TableReader } from '../store/tableReader.ts'
import type { Change } from '../store/tables.ts'
import type { JobIndex } from './jobIndex.ts'
import { hashOfJob, type SearchableJob, type SearchSource } from './searchableJob.ts'

/** In UTF-16 units, the total length of the descriptions that are kept in memory until they are indexed. */
const MAX_WRITTEN = 8 * 2 ** 20

/** The active jobs of a store, for a search index. */
export class StoreSource implements SearchSource {
  /** Jobs as they were just written. Reading them back from the disk's pages would take much longer. */
  private readonly written = new Map<number, JobRow>()
  private writtenLength = 0
  private readonly categories: LabelNames
  private readonly terms: LabelNames

  constructor(
    private readonly store: Store,
    private readonly jobIndex: JobIndex,
  ) {
    this.categories = new LabelNames(store.read.categories)
    this.terms = new LabelNames(store.read.terms)
  }

  read(id: number): SearchableJob | undefined {
    const written = this.take(id)
    const job = this.jobIndex.isActive(id) ? (written ?? this.store.read.jobs.get(id)) : undefined
    if (!job) return undefined
    const { title, company, location, description, arrangement, categoryId, termId } = job
    const category = this.categories.of(categoryId)
    const term = this.terms.of(termId)
    return { id, title, company, location, description, arrangement, category, term }
  }

  hashes(): Map<number, number> {
    return new Map(
      this.jobIndex.active.map(({ id, textHash, categoryId, termId }) => [
        id,
        hashOfJob(textHash, this.categories.of(categoryId), this.terms.of(termId)),
      ]),
    )
  }

  refresh(): void {
    this.jobIndex.refresh()
  }

  releaseMemory(): void {
    this.store.releaseMemory()
    Bun.gc(true)
  }

  /**
   * Returns the ids of the jobs whose texts have changed: those of a renamed category or term are found by its name, too.
   * Keeps the jobs that were written, to be read soon.
   */
  jobsToIndex(changes: readonly Change[]): number[] {
    const { jobs } = this.store.read
    const idsOf = (change: Change) => {
      const { table, id, before } = change
      if (change.table === 'jobs') {
        this.keep(id, change.after)
        return [id]
      }
      if (table !== 'categories' && table !== 'terms') return []
      this[table].forget(id)
      return before ? jobs.idsWhere(table === 'terms' ? 'termId' : 'categoryId', id) : []
    }
    return changes.flatMap(idsOf)
  }

  private keep(id: number, job: JobRow | undefined) {
    this.take(id)
    if (!job || this.writtenLength + job.description.length > MAX_WRITTEN) return
    this.written.set(id, job)
    this.writtenLength += job.description.length
  }

  private take(id: number): JobRow | undefined {
    const job = this.written.get(id)
    if (!job) return undefined
    this.written.delete(id)
    this.writtenLength -= job.description.length
    return job
  }
}

/** Looks up the names of categories or terms, and remembers them. */
class LabelNames {
  private readonly names = new Map<number | null, string>()

  constructor(private readonly labels: TableReader<LabelRow>) {}

  of(id: number | null): string {
    const name = this.names.get(id) ?? this.labels.get(id)?.name ?? ''
    this.names.set(id, name)
    return name
  }

  /** Forgets a name that may have changed. */
  forget(id: number): void {
    this.names.delete(id)
  }
}
