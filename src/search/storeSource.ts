import type { JobRow, LabelRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
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

  constructor(
    private readonly store: Store,
    private readonly jobIndex: JobIndex,
  ) {}

  read(id: number): SearchableJob | undefined {
    const { jobs, categories, terms } = this.store.read
    const written = this.take(id)
    const job = this.jobIndex.isActive(id) ? (written ?? jobs.get(id)) : undefined
    if (!job) return undefined
    const { title, company, location, description, arrangement, categoryId, termId } = job
    const category = categories.get(categoryId)?.name ?? ''
    const term = terms.get(termId)?.name ?? ''
    return { id, title, company, location, description, arrangement, category, term }
  }

  hashes(): Map<number, number> {
    const { categories, terms } = this.store.read
    const [categoryNames, termNames] = [namesOf(categories.all()), namesOf(terms.all())]
    return new Map(
      this.jobIndex.active.map(({ id, textHash, categoryId, termId }) => [
        id,
        hashOfJob(textHash, categoryNames(categoryId), termNames(termId)),
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
      if (!before) return []
      if (table === 'categories') return jobs.idsWhere('categoryId', id)
      return table === 'terms' ? jobs.idsWhere('termId', id) : []
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

/** Returns a function that looks up the name of a label. */
function namesOf(labels: readonly LabelRow[]): (id: number | null) => string {
  const names = new Map<number | null, string>(labels.map(({ id, name }) => [id, name]))
  return id => names.get(id) ?? ''
}
