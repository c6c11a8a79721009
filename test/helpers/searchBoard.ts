import type { SearchableJob } from '../../src/search/searchableJob.ts'
import { SearchIndex } from '../../src/search/searchIndex.ts'

/** The texts of a job that has none. */
export const BLANK_TEXTS = {
  title: '',
  company: '',
  location: '',
  description: '',
  arrangement: '',
  category: '',
  term: '',
}
/** The texts of a job; those that are missing are blank. */
export type JobTexts = Partial<typeof BLANK_TEXTS>

const open: SearchIndex[] = []

/** Closes the indexes that tests have opened. */
export function closeIndexes(): void {
  for (const index of open.splice(0)) void index.close()
}

/** Returns an index, to be closed by `closeIndexes`. A warning fails the test, unless they are collected. */
export function searchIndexOf(
  read: (id: number) => SearchableJob | undefined,
  warnings?: string[],
): SearchIndex {
  const source = { read, hashes: () => new Map<number, number>() }
  const index = new SearchIndex(source, (message, cause) => {
    if (!warnings) throw new Error(message, { cause })
    warnings.push(`${message}: ${String(cause)}`)
  })
  open.push(index)
  return index
}

/** Returns the ids of the jobs that a search finds, in order. */
export const foundIds = async (index: SearchIndex, q: string) => [...(await index.search(q)).ids]

/** Returns the texts of jobs that tests can change, an index of them, and the ids it read. */
export function searchBoard(jobs: Record<number, JobTexts>) {
  const texts = new Map(Object.entries(jobs).map(([id, job]) => [Number(id), job]))
  const reads: number[] = []
  const index = searchIndexOf(id => {
    reads.push(id)
    const job = texts.get(id)
    return job && { id, ...BLANK_TEXTS, ...job }
  })
  index.markChanged(texts.keys())
  return { texts, reads, index, find: (q: string) => foundIds(index, q) }
}
