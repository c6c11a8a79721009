/**
 * The program of the index's thread. It owns the index and handles requests in order. Indexing a job or ranking a common
 * word takes a while, in which the main thread can handle HTTP requests.
 */
import type { Tagged, WorkerResponse } from '../worker/workerClient.ts'
import type { SearchableJob } from './fields.ts'
import { readIndex, writeIndex } from './indexFile.ts'
import { InvertedIndex } from './invertedIndex.ts'
import { findJobs, type Found } from './ranking.ts'
import { type SynonymGroup, Synonyms } from './synonyms.ts'

/** A request to the thread: to read or write its file, to index jobs as they are now, to set synonyms, or to search. */
export type SearchRequest =
  | { readonly read: string }
  | { readonly write: string }
  | { readonly put: readonly SearchableJob[]; readonly remove: readonly number[] }
  | { readonly synonyms: readonly SynonymGroup[] }
  | { readonly q: string }

/** The response, or the reason why a part of the request failed. */
export interface SearchResponse extends WorkerResponse {
  /** The result of a search. */
  readonly found?: Found
  /** The id of each job in the file, followed by the job's hash. */
  readonly hashes?: Float64Array
}

declare const self: Worker

let index = new InvertedIndex()
let synonyms = new Synonyms([])
let isTidying = false

self.addEventListener('message', ({ data }: MessageEvent<Tagged<SearchRequest>>) => {
  void answer(data).then(response =>
    self.postMessage({ id: data.id, ...response } satisfies Tagged<SearchResponse>),
  )
})

async function answer(request: SearchRequest): Promise<SearchResponse> {
  try {
    if ('q' in request) return { found: findJobs(request.q, index, synonyms) }
    if ('put' in request) return update(request.put, request.remove)
    if ('write' in request) await write(request.write)
    else if ('read' in request) return await read(request.read)
    else synonyms = new Synonyms(request.synonyms)
    return {}
  } catch (error) {
    return { failure: String(error) }
  }
}

async function read(path: string): Promise<SearchResponse> {
  index = (await readIndex(path)) ?? index
  return { hashes: Float64Array.from([...index.hashes()].flat()) }
}

async function write(path: string) {
  await writeIndex(path, index)
  // After many changes, when there is nothing else to do, is a good time to collect garbage.
  Bun.gc(true)
}

/** Indexes jobs. An error in one of them doesn't affect the others. */
function update(put: readonly SearchableJob[], remove: readonly number[]): SearchResponse {
  for (const id of remove) index.remove(id)
  const failures = index.put(put)
  if (!isTidying) tidy()
  return failures.length > 0 ? { failure: failures.join('; ') } : {}
}

/** Merges segments step by step. Requests are handled between the steps. */
function tidy() {
  isTidying = index.isUntidy
  if (!isTidying) return
  index.tidy()
  setImmediate(tidy)
}
