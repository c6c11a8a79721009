// The messages between the server and the thread of the search index.

import type { WorkerResponse } from '../worker/workerClient.ts'
import type { SearchableJob } from './searchableJob.ts'

/** A group of words and phrases with the same meaning, each split into its words. */
export type SynonymGroup = readonly (readonly string[])[]

/**
 * A request to the thread: to read or write its file, to return the hashes of its jobs, to index jobs as they are now, to
 * set synonyms, or to search.
 */
export type SearchRequest =
  | { readonly read: string }
  | { readonly write: string }
  | { readonly hashes: true }
  | { readonly put: readonly SearchableJob[]; readonly remove: readonly number[] }
  | { readonly synonyms: readonly SynonymGroup[] }
  | { readonly q: string }

/** The response, or the reason why a part of the request failed. */
export interface SearchResponse extends WorkerResponse {
  /** The result of a search. */
  readonly result?: SearchResult
  /** The checksum of the file that was read or written. */
  readonly checksum?: string | undefined
  /** The id of each job, followed by the job's hash. */
  readonly hashes?: Float64Array
}

/** How the results of a search match it. */
export interface SearchMatch {
  /** Whether the jobs have all words of the search, or only some. */
  readonly match: 'all' | 'some'
  /** The search with corrected typing errors, in lower case and without accents; undefined if there were none. */
  readonly corrected: string | undefined
}

/** The result of a search. */
export interface SearchResult extends SearchMatch {
  /** The ids of jobs, the best first. */
  readonly ids: Float64Array
}
