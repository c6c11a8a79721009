import type { Board } from '../../board.ts'
import type { Listed } from '../../search/listing.ts'
import { ARRANGEMENTS } from '../../store/rows.ts'
import { arrangementName } from './card.ts'
import type { PageQuery } from './query.ts'

type FilterName = 'category' | 'term' | 'arrangement'
type Value = string | number

interface Filter {
  readonly name: FilterName
  readonly label: string
  /** The choice that filters nothing. */
  readonly any: string
  readonly valueOf: (job: Listed) => Value
  /** What can be chosen: values and their names, in order. */
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
    any: 'Any',
    valueOf: job => job.categoryId,
    choices: ({ store }) => byName(store.read.categories.all()),
  },
  {
    name: 'term',
    label: 'Term',
    any: 'Any',
    valueOf: job => job.termId,
    choices: ({ store }) => byName(store.read.terms.all()),
  },
  {
    name: 'arrangement',
    label: 'Place of work',
    any: 'Any',
    valueOf: job => job.arrangement,
    choices: () => ARRANGEMENTS.map(arrangement => [arrangement, arrangementName(arrangement)] as const),
  },
]

const passes = (job: Listed, query: PageQuery, filter: Filter) =>
  query[filter.name] === undefined || query[filter.name] === filter.valueOf(job)

/** The jobs that pass every filter. */
export const filterJobs = (jobs: readonly Listed[], query: PageQuery) =>
  jobs.filter(job => FILTERS.every(filter => passes(job, query, filter)))

/**
 * The filters as a form shows them: every choice that some job has, with how many there would be if it were chosen.
 * @param jobs before any filter
 */
export const presentFilters = (board: Board, jobs: readonly Listed[], query: PageQuery) =>
  FILTERS.map(filter => {
    const others = FILTERS.filter(other => other !== filter)
    const counts = new Map<Value, number>()
    for (const job of jobs)
      if (others.every(other => passes(job, query, other)))
        counts.set(filter.valueOf(job), (counts.get(filter.valueOf(job)) ?? 0) + 1)
    const chosen = query[filter.name]
    return {
      name: filter.name,
      label: filter.label,
      any: filter.any,
      options: filter
        .choices(board)
        .map(([value, name]) => ({ value, name, count: counts.get(value) ?? 0, selected: value === chosen }))
        .filter(({ count, selected }) => count > 0 || selected),
    }
  })
