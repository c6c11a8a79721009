/**
 * The program of the search index's thread: see `searchThread.ts`. It owns the index and handles requests in order. Indexing
 * a job or ranking a common word takes a while, in which the main thread can handle HTTP requests.
 */
import { edenGC, fullGC } from 'bun:jsc'
import type { Tagged } from '../worker/workerClient.ts'
import { readIndex, writeIndex } from './indexFile.ts'
import { InvertedIndex } from './invertedIndex.ts'
import { findJobs } from './ranking.ts'
import type { SearchableJob } from './searchableJob.ts'
import type { SearchRequest, SearchResponse } from './searchMessages.ts'
import { Synonyms } from './synonyms.ts'

declare const self: Worker

/** The number of jobs after whose indexing new garbage is collected. The collections that happen by themselves leave much. */
const COLLECT_NEW_INTERVAL = 500
/** The number of jobs after which old garbage is collected too, which takes twenty times as long. */
const COLLECT_ALL_INTERVAL = 2000

let index = new InvertedIndex()
let synonyms = new Synonyms([])
let isMerging = false
/** The number of jobs that were indexed since all garbage was collected. */
let indexed = 0

self.addEventListener('message', ({ data }: MessageEvent<Tagged<SearchRequest>>) => {
  void handle(data).then(response =>
    self.postMessage({ id: data.id, ...response } satisfies Tagged<SearchResponse>),
  )
})

async function handle(request: SearchRequest): Promise<SearchResponse> {
  try {
    if ('q' in request) return { result: findJobs(request.q, index, synonyms) }
    if ('put' in request) return update(request.put, request.remove)
    if ('write' in request) return await write(request.write)
    if ('read' in request) return await read(request.read)
    if ('hashes' in request) return { hashes: index.hashes() }
    synonyms = new Synonyms(request.synonyms)
    return {}
  } catch (error) {
    return { failure: String(error) }
  }
}

async function read(path: string): Promise<SearchResponse> {
  const file = await readIndex(path)
  if (file) ({ index } = file)
  setImmediate(loadTerms)
  return { checksum: file?.checksum }
}

/** Completes the loading of the terms step by step. Requests are handled between the steps. */
function loadTerms() {
  if (index.vocabulary.tree.addSome()) setImmediate(loadTerms)
}

async function write(path: string): Promise<SearchResponse> {
  const checksum = await writeIndex(path, index)
  // After many changes, when there is nothing else to do, is a good time to collect garbage.
  collect()
  return { checksum }
}

/** Indexes jobs. An error in one of them doesn't affect the others. */
function update(put: readonly SearchableJob[], remove: readonly number[]): SearchResponse {
  for (const id of remove) index.remove(id)
  const failures = index.put(put)
  if (!isMerging) mergeSegments()
  collectAfter(put.length)
  return failures.length > 0 ? { failure: failures.join('; ') } : {}
}

function collectAfter(jobs: number) {
  const due = COLLECT_NEW_INTERVAL - (indexed % COLLECT_NEW_INTERVAL)
  indexed += jobs
  if (indexed >= COLLECT_ALL_INTERVAL) collect()
  else if (jobs >= due) edenGC()
}

function collect() {
  indexed = 0
  fullGC()
}

/** Merges segments step by step. Requests are handled between the steps. */
function mergeSegments() {
  isMerging = index.needsMerge
  if (!isMerging) return
  index.mergeStep()
  setImmediate(mergeSegments)
}
