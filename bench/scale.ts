/**
 * `npm run bench:scale [-- POSTINGS.jsonl]`: what a board costs that has 1,000, 10,000 and 50,000 jobs. Times are in
 * milliseconds; of what is asked more than once, the median.
 */
import { join } from 'node:path'
import { loadPostings } from './postings.ts'
import {
  asBody,
  AUTHORIZATION,
  EXECUTABLE,
  type MeasuredServer,
  pageOf,
  startBoard,
  withFolder,
} from './servers.ts'

const SIZES = [1000, 10_000, 50_000]
const CATEGORIES = 10
const SEARCH = '/jobs.json?q=nurse&per_page=20'
/** Milliseconds after which a board that nobody asks is at rest. */
const REST = 2000
const TIMES = 50
const WORDS = [
  'nurse',
  'engineer',
  'manager',
  'remote',
  'sales',
  'teacher',
  'driver',
  'design',
  'data',
  'support',
]

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function repeated(work: (turn: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < TIMES; turn++) times.push(await timed(() => work(turn)))
  return median(times)
}

async function ask(board: MeasuredServer, path: string, init: RequestInit = {}): Promise<void> {
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
  const response = await fetch(`${board.url}${path}`, init.method === undefined ? init : { ...init, headers })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  await response.arrayBuffer()
}

async function importJobs(folder: string, size: number, file: string | undefined): Promise<void> {
  const postings = await loadPostings(size, file)
  const rows = postings.map((posting, index) =>
    JSON.stringify({ ...posting, category: `Category ${(index % CATEGORIES) + 1}`, term: 'Full-time' }),
  )
  const path = join(folder, 'rows.jsonl')
  await Bun.write(path, rows.join('\n'))
  await runs('import', path, '--data', join(folder, 'data'))
}

async function runs(command: string, ...args: string[]): Promise<void> {
  const child = Bun.spawn([EXECUTABLE, command, ...args], { stdout: 'ignore' })
  if ((await child.exited) !== 0) throw new Error(`corkboard ${command} failed`)
}

/** Starts the board, and returns it with the time until its first response and until its first search. */
async function started(folder: string) {
  const start = performance.now()
  const board = await startBoard(folder)
  await ask(board, pageOf(1, 20))
  const toFirstResponse = performance.now() - start
  await ask(board, SEARCH)
  return { board, toFirstResponse, toFirstSearch: performance.now() - start }
}

/** Builds the index, and returns the times of starts that have it: after a stop, and after a kill. */
async function measureStarts(folder: string) {
  const { board, toFirstResponse, toFirstSearch } = await started(folder)
  const built = await board.cpu()
  await board.stop()
  const again = await started(folder)
  const read = await again.board.cpu()
  await again.board.stop('SIGKILL')
  const killed = await started(folder)
  await killed.board.stop()
  return {
    'first response': toFirstResponse,
    'first search, no index yet': toFirstSearch,
    'after a stop': again.toFirstSearch,
    'after kill -9': killed.toFirstSearch,
    'processor time to index': (built - read) * 1000,
  }
}

async function measureMemory(board: MeasuredServer) {
  await Bun.sleep(REST)
  const { own, mapped, helpers } = await board.memoryByPart()
  const inMegabytes = (bytes: number) => bytes / 2 ** 20
  return {
    'memory, MB': inMegabytes(own + mapped + helpers),
    'its own': inMegabytes(own),
    'mapped files': inMegabytes(mapped),
    'helper processes': inMegabytes(helpers),
  }
}

async function measure(size: number, file: string | undefined) {
  return await withFolder(async folder => {
    const importing = await timed(() => importJobs(folder, size, file))
    const starts = await measureStarts(folder)
    const { board } = await started(folder)
    try {
      const memory = await measureMemory(board)
      // The import has created the plan, archived.
      await ask(board, '/plans/1/activate.json', { method: 'PUT' })
      const [posting] = await loadPostings(1, file)
      const body = posting && JSON.stringify(asBody(posting))
      return {
        jobs: size,
        'import, all': importing,
        ...starts,
        ...memory,
        'the index file, MB': Bun.file(join(folder, 'data', 'search.index')).size / 2 ** 20,
        'one job': await repeated(turn => ask(board, `/jobs/${turn + 1}.json`)),
        'a page': await repeated(turn => ask(board, pageOf(turn + 1, 20))),
        'a search': await repeated(turn =>
          ask(board, `/jobs.json?q=${WORDS[turn % WORDS.length]}+${turn}&per_page=20`),
        ),
        'a create': await repeated(() =>
          ask(board, '/jobs.json', { method: 'POST', ...(body !== undefined && { body }) }),
        ),
        'a backup': await timed(() => runs('backup', join(folder, 'backup'), '--data', join(folder, 'data'))),
        'a tenth deleted': await timed(() => ask(board, '/categories/1.json', { method: 'DELETE' })),
      }
    } finally {
      await board.stop()
    }
  })
}

const rows = []
for (const size of SIZES) rows.push(await measure(size, process.argv[2]))
const names = Object.keys(rows[0] ?? {})
console.log(`| ${names.join(' | ')} |\n|${names.map(() => '---').join('|')}|`)
for (const row of rows)
  console.log(
    `| ${Object.values(row)
      .map(value => value.toFixed(value < 10 ? 2 : 0))
      .join(' | ')} |`,
  )
console.log(`\n${JSON.stringify(rows)}`)
