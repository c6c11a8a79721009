/**
 * The program of the index's own thread: keeps the postings, and does what it is asked in the order in which it was
 * asked. To take in a posting or to rank a common word takes a while, in which the other thread answers requests.
 */
import type { Tagged, WorkerResponse } from '../worker/workerClient.ts'
import type { SearchableJob } from './fields.ts'
import { InvertedIndex } from './invertedIndex.ts'
import { rankedIds } from './ranking.ts'

/** What the thread is asked: to follow jobs as they are now, or to search. */
export type SearchRequest =
  { readonly put: readonly SearchableJob[]; readonly remove: readonly number[] } | { readonly q: string }

/** What it answers: the ids that a search found, best first, or why it could not do all that it was asked. */
export interface SearchResponse extends WorkerResponse {
  readonly ids?: Float64Array
}

declare const self: Worker

const postings = new InvertedIndex()

self.addEventListener('message', ({ data }: MessageEvent<Tagged<SearchRequest>>) => {
  self.postMessage({ id: data.id, ...answer(data) } satisfies Tagged<SearchResponse>)
})

function answer(question: SearchRequest): SearchResponse {
  try {
    if ('q' in question) return { ids: new Float64Array(rankedIds(question.q, postings)) }
    for (const id of question.remove) postings.remove(id)
    return follow(question.put)
  } catch (error) {
    return { failure: String(error) }
  }
}

/** One job that can't be taken in must not keep out the others. */
function follow(jobs: readonly SearchableJob[]): SearchResponse {
  let answered: SearchResponse = {}
  for (const job of jobs)
    try {
      postings.put(job)
    } catch (error) {
      answered = { failure: `job ${job.id}: ${String(error)}` }
    }
  return answered
}
