/**
 * `npm run bench:search [-- POSTINGS.jsonl]`: whether the search finds the posting that somebody has in mind, for each
 * kind of query, and how long a search takes, compared with SQLite FTS5 as it is usually configured. The first half of
 * the queries is for tuning, the second for the verdict.
 */
import { InvertedIndex } from '../src/search/invertedIndex.ts'
import { findJobs } from '../src/search/ranking.ts'
import { openWords } from './peer.ts'
import { loadPostings, type Posting } from './postings.ts'
import { nameOf, queriesFor, type Query, QUERY_KINDS } from './queries.ts'
import { seeded } from './random.ts'

/** If a file has fewer postings, the rest is combined from them, which no query looks for. */
const POSTINGS = 1500
const QUERIES = 600
const SEED = 1
const TOP = 10
/** The number of postings that are indexed at a time, as in the board. */
const BATCH_SIZE = 64

type Find = (text: string) => readonly string[]

interface Evaluation {
  readonly reciprocalRank: number
  readonly recall: number
  readonly p50: number
  readonly p99: number
}

function evaluate(queries: readonly Query[], find: Find): Evaluation {
  const times: number[] = []
  let ranks = 0
  let found = 0
  for (const { text, expected } of queries) {
    const start = performance.now()
    const names = find(text)
    times.push(performance.now() - start)
    const rank = names.indexOf(nameOf(expected)) + 1
    if (rank === 0) continue
    ranks += 1 / rank
    found++
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return {
    reciprocalRank: ranks / queries.length,
    recall: found / queries.length,
    p50: at(0.5),
    p99: at(0.99),
  }
}

function findInIndex(postings: readonly Posting[]): Find {
  const index = new InvertedIndex()
  for (let start = 0; start < postings.length; start += BATCH_SIZE) {
    const some = postings.slice(start, start + BATCH_SIZE)
    index.put(
      some.map((posting, at) => ({ ...posting, id: start + at, arrangement: '', category: '', term: '' })),
    )
    while (index.needsMerge) index.mergeStep()
  }
  return text =>
    [...findJobs(text, index).ids.subarray(0, TOP)].flatMap(id =>
      postings[id] ? [nameOf(postings[id])] : [],
    )
}

function findInWords(postings: readonly Posting[]): Find {
  const { add, search } = openWords(':memory:')
  postings.forEach((posting, index) => add(index, posting))
  return text => search(text, TOP).flatMap(index => (postings[index] ? [nameOf(postings[index])] : []))
}

const cells = ({ reciprocalRank, recall, p50, p99 }: Evaluation) =>
  [reciprocalRank.toFixed(3), recall.toFixed(3), p50.toFixed(2), p99.toFixed(2)].join(' | ')

function report(title: string, queries: readonly Query[], engines: Readonly<Record<string, Find>>) {
  for (const [name, find] of Object.entries(engines))
    console.log(`| ${title} | ${name} | ${cells(evaluate(queries, find))} |`)
}

const postings = await loadPostings(POSTINGS, process.argv[2])
const start = performance.now()
const board = findInIndex(postings)
console.log(`Indexed ${postings.length} postings in ${(performance.now() - start).toFixed(0)} ms.\n`)
const engines = { board, FTS5: findInWords(postings) }
console.log(
  '| queries | half | engine | MRR@10 | recall@10 | p50 ms | p99 ms |\n|---|---|---|---|---|---|---|',
)
for (const kind of Object.keys(QUERY_KINDS)) {
  const queries = queriesFor(kind, postings, QUERIES, seeded(SEED))
  const middle = Math.ceil(queries.length / 2)
  const halves = { tuning: queries.slice(0, middle), verdict: queries.slice(middle) }
  if (queries.length === 0) console.log(`| ${kind} | | | no posting fits | | | |`)
  else
    for (const [half, some] of Object.entries(halves))
      report(`${kind} (${some.length}) | ${half}`, some, engines)
}
