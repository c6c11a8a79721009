import { type Caller, faulty, isAdmin, type Job, type Outcome, type Plans, type Records } from './records.ts'
import { DESCRIPTION, manages, shownJob, statusOf } from './shown.ts'

/** The query of a list. Numbers are replaced by existing ids when the request is sent. */
export interface Query {
  readonly q?: string
  readonly category?: number
  readonly term?: number
  readonly arrangement?: string
  readonly status?: string
  readonly mine?: string
  readonly page?: number
  readonly per_page?: number
}

const PER_PAGE = 25

/** The time that lists sort by. */
const listedAt = ({ createdAt, submittedAt, publishAt }: Job) =>
  Math.max(createdAt, submittedAt ?? 0, publishAt ?? 0)

/** Compares jobs: pinned first, then the newest. */
export function inOrder(jobs: readonly Job[], { plans }: Records): Job[] {
  const pinned = ({ plan }: Job) => (plans.get(plan)?.pin ? 1 : 0)
  return jobs.toSorted((a, b) => pinned(b) - pinned(a) || listedAt(b) - listedAt(a) || b.id - a.id)
}

export const getJobs =
  ({ category, term, ...query }: Query): Plans =>
  (records, caller) => {
    const filters = {
      ...query,
      ...(category !== undefined && { category: records.categories.pick(category) }),
      ...(term !== undefined && { term: records.terms.pick(term) }),
    }
    const parameters = Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)])
    const path = parameters.length === 0 ? '/jobs.json' : `/jobs.json?${new URLSearchParams(parameters)}`
    return { method: 'GET', path, outcome: () => listed(filters, records, caller) }
  }

function listed(filters: Query, records: Records, caller: Caller): Outcome {
  if (!caller && (filters.status !== undefined || filters.mine === 'true')) return { status: 401 }
  if (filters.q !== undefined && filters.status !== undefined && filters.status !== 'active')
    return faulty(['q'])
  const jobs = passing(filters, records, caller)
  const isPublic = !caller || (filters.status === undefined && filters.mine !== 'true')
  if (isPublic && !isAdmin(caller)) records.visit('/jobs.json')
  const listedJobs = cut(jobs, filters).map(job => shownJob(records, caller, job))
  // the contract does not define the order of relevance
  const body = filters.q === undefined ? listedJobs : new Set(listedJobs.map(({ id }) => id))
  const isCut = filters.page !== undefined || filters.per_page !== undefined
  return { status: 200, total: jobs.length, ...((filters.q === undefined || !isCut) && { body }) }
}

function passing(filters: Query, records: Records, caller: Caller): Job[] {
  const { status = 'active' } = filters
  const candidates = records.jobs.all.filter(job => {
    const is = statusOf(job, records.now)
    return (status === 'all' || is === status) && (is === 'active' || manages(caller, job))
  })
  const found = filters.q === undefined ? candidates : search(candidates, filters.q, records)
  const passed = found.filter(
    job =>
      (filters.category === undefined || job.category === filters.category) &&
      (filters.term === undefined || job.term === filters.term) &&
      (filters.arrangement === undefined || job.arrangement === filters.arrangement) &&
      (filters.mine !== 'true' || job.owner === caller?.id),
  )
  return inOrder(passed, records)
}

function cut<T>(rows: readonly T[], { page, per_page }: Pick<Query, 'page' | 'per_page'>): readonly T[] {
  if (page === undefined && per_page === undefined) return rows
  const size = per_page ?? PER_PAGE
  return rows.slice(((page ?? 1) - 1) * size, (page ?? 1) * size)
}

/** Returns the jobs with every word or, if there are none, those with some. */
function search(active: readonly Job[], q: string, records: Records): Job[] {
  const texts = new Map(active.map(job => [job.id, wordsOf(job, records)]))
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const matchers = words.map((word, at) => matcher(word, at === words.length - 1, [...texts.values()]))
  const hits = (job: Job) => matchers.filter(matches => matches(texts.get(job.id) ?? [])).length
  const all = active.filter(job => hits(job) === words.length)
  return words.length === 0 ? [] : all.length > 0 ? all : active.filter(job => hits(job) > 0)
}

function wordsOf(job: Job, { categories, terms }: Records): string[] {
  const { title, company, location } = job
  const names = [categories.get(job.category)?.name, terms.get(job.term)?.name]
  return [title, company, location, DESCRIPTION, ...names]
    .join(' ')
    .toLowerCase()
    .split(/[^a-z]+/)
}

/** Returns whether a text has a word: exactly, as a prefix, or, if no job has it, with a typo. */
function matcher(word: string, isLast: boolean, texts: readonly (readonly string[])[]) {
  const isBeginning = isLast && word.length >= 3
  const isUnknown = word.length >= 4 && !texts.some(text => text.includes(word))
  return (text: readonly string[]) =>
    text.some(
      other =>
        other === word ||
        (isBeginning && other.startsWith(word)) ||
        (isUnknown && other.length >= 3 && isSlip(word, other)),
    )
}

/** Returns whether two words differ by one wrong, missing, extra or swapped letter. */
function isSlip(a: string, b: string): boolean {
  if (a.length > b.length) return isSlip(b, a)
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const rest = (text: string, from: number) => text.slice(at + from)
  if (a.length < b.length) return a.length + 1 === b.length && rest(a, 0) === rest(b, 1)
  const isSwapped = a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, 2) === rest(b, 2)
  return rest(a, 1) === rest(b, 1) || isSwapped
}
