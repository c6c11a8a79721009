/**
 * `npm run bench:search [-- POSTINGS.jsonl]`: whether the search finds the posting that somebody has in mind, and how
 * long it takes through HTTP; beside SQLite FTS5 as it is usually written, on the same postings in the same run. The
 * first half of the queries is for tuning, the second for the verdict.
 */
import { openWords } from './peer.ts'
import { loadPostings, type Posting } from './postings.ts'
import { nameOf, queriesFor, type Query, WAYS } from './queries.ts'
import { seeded } from './random.ts'
import { fillBoard, type MeasuredServer, startBoard, withFolder } from './servers.ts'

const POSTINGS = 1500
const QUERIES = 600
const SEED = 1
const TOP = 10

type Find = (text: string) => Promise<readonly string[]> | readonly string[]

interface Verdict {
  readonly reciprocalRank: number
  readonly recall: number
  readonly p50: number
  readonly p99: number
}

async function judge(queries: readonly Query[], find: Find): Promise<Verdict> {
  const times: number[] = []
  let ranks = 0
  let found = 0
  for (const { text, expected: wanted } of queries) {
    const start = performance.now()
    const names = await find(text)
    times.push(performance.now() - start)
    const rank = names.indexOf(nameOf(wanted)) + 1
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

const findIn =
  (board: MeasuredServer): Find =>
  async text => {
    const response = await fetch(`${board.url}/jobs.json?per_page=${TOP}&q=${encodeURIComponent(text)}`)
    const jobs = (await response.json()) as Posting[] // what we put in
    return jobs.map(nameOf)
  }

function findInWords(postings: readonly Posting[]): Find {
  const { add, search } = openWords(':memory:')
  postings.forEach((posting, index) => add(index, posting))
  return text => search(text, TOP).flatMap(index => (postings[index] ? [nameOf(postings[index])] : []))
}

const cells = ({ reciprocalRank, recall, p50, p99 }: Verdict) =>
  [reciprocalRank.toFixed(3), recall.toFixed(3), p50.toFixed(2), p99.toFixed(2)].join(' | ')

async function report(title: string, queries: readonly Query[], engines: Readonly<Record<string, Find>>) {
  for (const [name, find] of Object.entries(engines))
    console.log(`| ${title} | ${name} | ${cells(await judge(queries, find))} |`)
}

await withFolder(async folder => {
  const postings = await loadPostings(POSTINGS, process.argv[2])
  const board = await startBoard(folder)
  try {
    await fillBoard(board, postings)
    const engines = { board: findIn(board), FTS5: findInWords(postings) }
    console.log(
      '| queries | half | engine | MRR@10 | recall@10 | p50 ms | p99 ms |\n|---|---|---|---|---|---|---|',
    )
    for (const way of Object.keys(WAYS)) {
      const queries = queriesFor(way, postings, QUERIES, seeded(SEED))
      const middle = Math.ceil(queries.length / 2)
      const halves = { tuning: queries.slice(0, middle), verdict: queries.slice(middle) }
      if (queries.length === 0) console.log(`| ${way} | | | no posting is fit for it | | | |`)
      else
        for (const [half, some] of Object.entries(halves))
          await report(`${way} (${some.length}) | ${half}`, some, engines)
    }
  } finally {
    await board.stop()
  }
})
