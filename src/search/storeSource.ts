import type { LabelRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Change } from '../store/tables.ts'
import type { JobIndex } from './jobIndex.ts'
import { hashOfJob, type SearchableJob, type SearchSource } from './searchableJob.ts'

/** Returns the active jobs of a store, for a search index. */
export const storeSource = (store: Store, jobIndex: JobIndex): SearchSource => ({
  read(id): SearchableJob | undefined {
    const job = jobIndex.isActive(id) ? store.read.jobs.get(id) : undefined
    if (!job) return undefined
    const { title, company, location, description, arrangement, categoryId, termId } = job
    const category = store.read.categories.get(categoryId)?.name ?? ''
    const term = store.read.terms.get(termId)?.name ?? ''
    return { id, title, company, location, description, arrangement, category, term }
  },

  hashes(): Map<number, number> {
    const { categories, terms } = store.read
    const [categoryNames, termNames] = [namesOf(categories.all()), namesOf(terms.all())]
    return new Map(
      jobIndex.active.map(({ id, textHash, categoryId, termId }) => [
        id,
        hashOfJob(textHash, categoryNames(categoryId), termNames(termId)),
      ]),
    )
  },

  refresh() {
    jobIndex.refresh()
  },

  releaseMemory() {
    store.releaseMemory()
    Bun.gc(true)
  },
})

/** Returns the ids of the jobs whose texts have changed: those of a renamed category or term are found by its name, too. */
export function jobsToIndex({ read: { jobs } }: Store, changes: readonly Change[]): number[] {
  const idsOf = ({ table, id, before }: Change) => {
    if (table === 'jobs') return [id]
    if (!before) return []
    if (table === 'categories') return jobs.idsWhere('categoryId', id)
    return table === 'terms' ? jobs.idsWhere('termId', id) : []
  }
  return changes.flatMap(idsOf)
}

/** Returns a function that looks up the name of a label. */
function namesOf(labels: readonly LabelRow[]): (id: number | null) => string {
  const names = new Map<number | null, string>(labels.map(({ id, name }) => [id, name]))
  return id => names.get(id) ?? ''
}
