/**
 * The program of the index's own thread: keeps the index, and does what it is asked in the order in which it was
 * asked. To take in a posting or to rank a common word takes a while, in which the other thread answers requests.
 */
import type { Tagged, WorkerResponse } from '../worker/workerClient.ts'
import type { SearchableJob } from './fields.ts'
import { readIndex, writeIndex } from './indexFile.ts'
import { InvertedIndex } from './invertedIndex.ts'
import { findJobs, type Found } from './ranking.ts'
import { type SynonymGroup, Synonyms } from './synonyms.ts'

/** What the thread is asked: to read or write its file, to follow jobs as they are now, to know synonyms, or to search. */
export type SearchRequest =
  | { readonly read: string }
  | { readonly write: string }
  | { readonly put: readonly SearchableJob[]; readonly remove: readonly number[] }
  | { readonly synonyms: readonly SynonymGroup[] }
  | { readonly q: string }

/** What it answers, or why it could not do all that it was asked. */
export interface SearchResponse extends WorkerResponse {
  /** What a search found. */
  readonly found?: Found
  /** The id of each job that was in the file, and after it the job's hash. */
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
  // many changes were taken in, and there is nothing else to do
  Bun.gc(true)
}

/** One job that can't be taken in must not keep out the others. */
function update(put: readonly SearchableJob[], remove: readonly number[]): SearchResponse {
  for (const id of remove) index.remove(id)
  const failures = index.put(put)
  if (!isTidying) tidy()
  return failures.length > 0 ? { failure: failures.join('; ') } : {}
}

/** Merges segments step by step, with what is asked meanwhile in between. */
function tidy() {
  isTidying = index.isUntidy
  if (!isTidying) return
  index.tidy()
  setImmediate(tidy)
}
