import type { SearchableJob, SearchSource } from './searchableJob.ts'

/** In milliseconds, how long jobs are read before other work gets its turn. */
const MAX_READ_TIME = 2
/** The number of jobs that the thread of the index gets at a time. A search waits at least for one batch. */
export const BATCH_SIZE = 64

/** The jobs that an index must add or replace, and the ids of those that it must remove. */
export interface Batch {
  readonly put: readonly SearchableJob[]
  readonly remove: readonly number[]
}

/**
 * Takes jobs from a queue, for as long as reading them may take.
 * @param source the jobs
 * @param onError called for a job that can't be read. It is removed, because its texts in the index may be outdated
 */
export function readBatch(
  queue: Set<number>,
  source: Pick<SearchSource, 'read'>,
  onError: (id: number, error: unknown) => void,
): Batch {
  const put: SearchableJob[] = []
  const remove: number[] = []
  const end = performance.now() + MAX_READ_TIME
  for (const id of queue) {
    queue.delete(id)
    let job: SearchableJob | undefined
    try {
      job = source.read(id)
    } catch (error) {
      onError(id, error)
    }
    if (job) put.push(job)
    else remove.push(id)
    if (put.length + remove.length >= BATCH_SIZE || performance.now() >= end) break
  }
  return { put, remove }
}
