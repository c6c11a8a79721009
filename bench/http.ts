/**
 * `npm run bench [-- POSTINGS.jsonl]`: compares the speed of the executable with a bare route that sends the same bytes,
 * and with a peer that was written in an afternoon. The three take turns, so that changes in the machine's speed affect
 * all of them.
 */
import { measureFlush } from './flush.ts'
import { compareReading } from './interference.ts'
import { median, type Outcome, runLoadProcess } from './load.ts'
import { loadPostings, type Posting } from './postings.ts'
import { pick, seeded } from './random.ts'
import {
  ACCOUNT,
  asBody,
  AUTHORIZATION,
  fillBoard,
  type MeasuredServer,
  pageOf,
  startBoard,
  startOther,
  withFolder,
} from './servers.ts'
import { printTable, type Row } from './table.ts'

const JOBS = 2000
const CONNECTIONS = 16
const ROUNDS = 3
const DURATION = 2000
/** The time before the measurement, in milliseconds, in which code is compiled. */
const WARM_UP = 500
const PAGE_SIZE = 20
const SEARCHES = 4000
const LIST_PAGE = '/'
const JOB_PAGE = '/jobs/7'
const ACCEPTS_HTML = { accept: 'text/html,*/*;q=0.8' }
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'

type Contestant = 'board' | 'bare' | 'peer'

/** Requests to measure and the servers that get them. */
interface Scenario {
  readonly name: string
  readonly requests: (server: MeasuredServer) => Promise<readonly string[]> | readonly string[]
  readonly against: readonly Contestant[]
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  `GET ${path} HTTP/1.1\r\n${headerLines({ host: 'localhost', 'user-agent': BROWSER, accept: 'application/json', ...headers })}\r\n`

function post(path: string, body: object): string {
  const text = JSON.stringify(body)
  const headers = {
    host: 'localhost',
    'user-agent': BROWSER,
    authorization: AUTHORIZATION,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  }
  return `POST ${path} HTTP/1.1\r\n${headerLines(headers)}\r\n${text}`
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

/** Returns different searches for a word of a title and one of a description. */
function searchesFor(postings: readonly Posting[]): string[] {
  const random = seeded(1)
  const paths = new Set<string>()
  for (let tries = 0; paths.size < SEARCHES && tries < SEARCHES * 10; tries++) {
    const words = pick(postings, random).title.match(/\p{L}{3,}/gu) ?? []
    const more = pick(postings, random).description.match(/\p{L}{5,}/gu) ?? []
    if (words.length > 0 && more.length > 0)
      paths.add(
        `/jobs.json?q=${encodeURIComponent(`${pick(more, random)} ${pick(words, random)}`)}&per_page=${PAGE_SIZE}`,
      )
  }
  return [...paths]
}

const createsOf = (postings: readonly Posting[]) =>
  postings.map(posting => post('/jobs.json', asBody(posting)))

function readScenarios(postings: readonly Posting[]): Scenario[] {
  const searches = searchesFor(postings)
  const one = '/jobs/7.json'
  const page = pageOf(1, PAGE_SIZE)
  const all: Contestant[] = ['board', 'bare', 'peer']
  return [
    { name: 'one job', requests: () => [get(one)], against: all },
    {
      name: 'one job, If-None-Match',
      requests: async server => [get(one, { 'if-none-match': await etagOf(server, one) })],
      against: ['board', 'peer'],
    },
    { name: `a page of ${PAGE_SIZE}`, requests: () => [get(page)], against: all },
    { name: 'the whole list', requests: () => [get('/jobs.json')], against: all },
    {
      name: 'the list as a page',
      requests: () => [get(LIST_PAGE, ACCEPTS_HTML)],
      against: ['board', 'bare'],
    },
    { name: 'a job as a page', requests: () => [get(JOB_PAGE, ACCEPTS_HTML)], against: ['board', 'bare'] },
    {
      name: 'searches, repeated',
      requests: () => searches.slice(0, 20).map(path => get(path)),
      against: ['board', 'peer'],
    },
    {
      name: 'searches, distinct',
      requests: () => searches.map(path => get(path)),
      against: ['board', 'peer'],
    },
  ]
}

function writeScenarios(creates: readonly string[]): Scenario[] {
  const page = pageOf(1, PAGE_SIZE)
  const mix = Array.from({ length: 200 }, (_, index) =>
    index % 20 === 0 ? pick(creates, seeded(index)) : get(index % 2 === 0 ? `/jobs/${index + 1}.json` : page),
  )
  return [
    { name: 'creates', requests: () => creates, against: ['board', 'peer'] },
    { name: '95 % reads', requests: () => mix, against: ['board', 'peer'] },
  ]
}

async function etagOf(server: MeasuredServer, path: string): Promise<string> {
  const response = await fetch(`${server.url}${path}`)
  return response.headers.get('etag') ?? ''
}

const measure = ({ port }: MeasuredServer, requests: readonly string[], duration: number) =>
  runLoadProcess({ port, connections: CONNECTIONS, duration, requests })

async function run(
  { name, requests, against }: Scenario,
  servers: Record<Contestant, MeasuredServer>,
): Promise<Row> {
  const outcomes: Record<Contestant, Outcome[]> = { board: [], bare: [], peer: [] }
  for (const contestant of against)
    await measure(servers[contestant], await requests(servers[contestant]), WARM_UP)
  for (let round = 0; round < ROUNDS; round++)
    for (const contestant of against) {
      const server = servers[contestant]
      outcomes[contestant].push(await measure(server, await requests(server), DURATION))
    }
  const rate = (contestant: Contestant) => median(outcomes[contestant].map(outcome => outcome.perSecond))
  const ratio = (contestant: Contestant) =>
    against.includes(contestant)
      ? median(
          outcomes.board.map(
            (outcome, round) => outcome.perSecond / (outcomes[contestant][round]?.perSecond ?? NaN),
          ),
        )
      : undefined
  return {
    name,
    perSecond: rate('board'),
    p50: median(outcomes.board.map(outcome => outcome.p50)),
    p99: median(outcomes.board.map(outcome => outcome.p99)),
    ofBare: ratio('bare'),
    timesPeer: ratio('peer'),
    statuses: outcomes.board[0]?.statuses ?? {},
  }
}

await withFolder(async folder => {
  const postings = await loadPostings(JOBS, process.argv[2])
  const board = await startBoard(folder)
  await fillBoard(board, postings)
  // a search waits for the index
  await fetch(`${board.url}/jobs.json?q=ready`)
  const paths = ['/jobs/7.json', pageOf(1, PAGE_SIZE), '/jobs.json', LIST_PAGE, JOB_PAGE]
  const responses = await Promise.all(
    paths.map(async path => [path, await (await fetch(`${board.url}${path}`)).text()] as const),
  )
  const bare = await startOther('bare', { responses: Object.fromEntries(responses) })
  const peer = await startOther('peer', { folder, account: ACCOUNT, postings })
  const servers = { board, bare, peer }
  const rows: Row[] = []
  try {
    for (const scenario of readScenarios(postings)) rows.push(await run(scenario, servers))
    // memory is measured before the creates, which add thousands of jobs, more of them on the faster server
    const memory = { board: await board.memory(), peer: await peer.memory() }
    const creates = createsOf(postings)
    const reads = postings.slice(0, 200).map((_, index) => get(`/jobs/${index + 1}.json`))
    for (const [name, { port }] of Object.entries({ board, peer })) {
      console.log(`\nReads of jobs: ${name}`)
      await compareReading({ port }, reads, 'a stream of creates', duration =>
        runLoadProcess({ port, connections: 1, duration, requests: creates }),
      )
    }
    const flush = measureFlush(folder).toFixed(2)
    console.log(
      `\nThis disk flushes a small write in ${flush} ms. On a slower one, the board's creates are further ahead of the peer's.\n`,
    )
    for (const scenario of writeScenarios(creates)) rows.push(await run(scenario, servers))
    printTable(rows, memory)
  } finally {
    await Promise.all(Object.values(servers).map(server => server.stop()))
  }
})
