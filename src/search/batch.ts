import type { SearchableJob } from './searchableJob.ts'

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
 * @param read returns undefined for a job that must not be found
 */
export function readBatch(queue: Set<number>, read: (id: number) => SearchableJob | undefined): Batch {
  const put: SearchableJob[] = []
  const remove: number[] = []
  const end = performance.now() + MAX_READ_TIME
  for (const id of queue) {
    const job = read(id)
    queue.delete(id)
    if (job) put.push(job)
    else remove.push(id)
    if (put.length + remove.length >= BATCH_SIZE || performance.now() >= end) break
  }
  return { put, remove }
}
