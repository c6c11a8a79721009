import type { Board } from '../../board.ts'
import type { JobSummary } from '../../search/jobSummary.ts'
import { ARRANGEMENT_NAMES, ARRANGEMENTS } from '../../store/rows.ts'
import { filterForPage } from './filterForPage.ts'
import { type PageQuery, without } from './query.ts'

export type FilterName = 'category' | 'term' | 'arrangement'
type Value = string | number

interface Filter {
  readonly name: FilterName
  readonly label: string
  readonly valueOf: (job: JobSummary) => Value | null
  /** Returns the values that can be chosen and their names, in order. */
  readonly choices: (board: Board) => readonly (readonly [Value, string])[]
}

type Labels = readonly { readonly id: number; readonly name: string }[]
const byName = (labels: Labels) =>
  labels
    .map(({ id, name }) => [id, name] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, 'en', { sensitivity: 'base' }))

const FILTERS: readonly Filter[] = [
  {
    name: 'category',
    label: 'Category',
    valueOf: job => job.categoryId,
    choices: ({ store }) => byName(store.read.categories.all()),
  },
  {
    name: 'term',
    label: 'Employment type',
    valueOf: job => job.termId,
    choices: ({ store }) => byName(store.read.terms.all()),
  },
  {
    name: 'arrangement',
    label: 'Workplace',
    valueOf: job => job.arrangement,
    choices: () => ARRANGEMENTS.map(arrangement => [arrangement, ARRANGEMENT_NAMES[arrangement]] as const),
  },
]

/**
 * Returns the search form's filters: every choice that some job has, with the number of results it would give.
 * @param jobs the results of the search words, before any filter
 */
export const presentFilters = (board: Board, jobs: readonly JobSummary[], query: PageQuery) =>
  FILTERS.map(filter => {
    const chosen = query[filter.name]
    const counts = new Map<Value | null, number>()
    for (const job of filterForPage(jobs, without(query, filter.name))) {
      const value = filter.valueOf(job)
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return {
      name: filter.name,
      label: filter.label,
      options: filter
        .choices(board)
        .map(([value, name]) => ({ value, name, count: counts.get(value) ?? 0, selected: value === chosen }))
        .filter(({ count, selected }) => count > 0 || selected),
    }
  })
