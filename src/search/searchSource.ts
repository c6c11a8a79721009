import type { LabelRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { hashOfJob, type SearchableJob } from './fields.ts'
import type { JobIndex } from './jobIndex.ts'

/** The data of a search index: the active jobs of a store. */
export class SearchSource {
  constructor(
    private readonly store: Store,
    private readonly jobIndex: JobIndex,
  ) {}

  /** Returns the searchable text of a job as it is now, or undefined if it must not be found. */
  look(id: number): SearchableJob | undefined {
    const job = this.jobIndex.isActive(id) ? this.store.read.jobs.get(id) : undefined
    if (!job) return undefined
    const { title, company, location, description, arrangement, categoryId, termId } = job
    const category = this.store.read.categories.get(categoryId)?.name ?? ''
    const term = this.store.read.terms.get(termId)?.name ?? ''
    return { id, title, company, location, description, arrangement, category, term }
  }

  /** Returns the hash of every job that can be found, by its id. */
  hashes(): Map<number, number> {
    const { categories, terms } = this.store.read
    const [categoryNames, termNames] = [namesOf(categories.all()), namesOf(terms.all())]
    return new Map(
      this.jobIndex.active.map(({ id, textHash, categoryId, termId }) => [
        id,
        hashOfJob(textHash, categoryNames.get(categoryId) ?? '', termNames.get(termId) ?? ''),
      ]),
    )
  }

  /** Frees the memory used to read all jobs, once the index is up to date. */
  caughtUp(): void {
    this.store.releaseMemory()
    Bun.gc(true)
  }
}

const namesOf = (labels: readonly LabelRow[]) => new Map(labels.map(({ id, name }) => [id, name]))
