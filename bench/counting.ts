/**
 * `npm run bench:counting`: the cost of counting visits, as the ratio of requests per second with and without. Two servers
 * take turns. On a shared machine, the ratio of requests per second of processor time is the more stable one.
 */
import { join } from 'node:path'
import { median, runLoadProcess } from './load.ts'
import { pick, seeded } from './random.ts'
import { type MeasuredServer, startOther, withFolder } from './servers.ts'
import { printRows } from './table.ts'

/** The number of rounds: many short ones, because a shared machine slows down now and then. */
const ROUNDS = 15
const DURATION = 1000
const CONNECTIONS = 16
const REQUESTS = 2000
const JOBS = 20
const SEED = 3

const COLUMNS = [
  'scenario',
  'counting, a second',
  'not counting',
  'ratio',
  'counting, a CPU second',
  'not counting',
  'ratio',
]

const random = seeded(SEED)
const number = (below: number) => Math.floor(random() * below)

const browsers = Array.from(
  { length: 200 },
  () =>
    `Mozilla/5.0 (X11; Linux x86_64; rv:${number(140)}.0) Gecko/20100101 Firefox/${number(140)}.${number(9)}`,
)
const sites = Array.from({ length: 100 }, (_, index) => `https://www.site-${index}.example/page`)

const get = (path: string, headers: readonly string[]) =>
  [`GET ${path} HTTP/1.1`, 'host: localhost', 'accept: application/json', ...headers, '\r\n'].join('\r\n')

/** The headers of a visitor who sends all requests. */
const sameVisitor = [`user-agent: ${browsers[0]}`]

/** Returns the headers of a visitor with another address, behind a proxy. */
const newVisitor = () => [
  `user-agent: ${pick(browsers, random)}`,
  `referer: ${pick(sites, random)}`,
  `x-forwarded-for: ${1 + number(220)}.${number(256)}.${number(256)}.${number(256)}`,
]

const many = (make: () => string) => Array.from({ length: REQUESTS }, make)
const job = () => `/jobs/${1 + number(JOBS)}.json`
const page = '/jobs.json?page=1&per_page=20'

const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  'one job, one visitor': many(() => get(job(), sameVisitor)),
  [`one job, ${REQUESTS} visitors`]: many(() => get(job(), newVisitor())),
  'a page of 20, one visitor': many(() => get(page, sameVisitor)),
  [`a page of 20, ${REQUESTS} visitors`]: many(() => get(page, newVisitor())),
  // These count an impression of each job in the list, too.
  'the page of the list, one visitor': many(() => get('/', sameVisitor)),
  [`the page of the list, ${REQUESTS} visitors`]: many(() => get('/', newVisitor())),
}

/** Requests per second, by the clock and by the server's processor time. */
interface Rate {
  readonly clock: number
  readonly cpu: number
}

/** Measures a server under load. */
async function measure(server: MeasuredServer, requests: readonly string[]): Promise<Rate> {
  const before = await server.cpu()
  const load = { port: server.port, connections: CONNECTIONS, duration: DURATION, requests }
  const outcome = await runLoadProcess(load)
  if (Object.keys(outcome.statuses).join() !== '200') throw new Error(JSON.stringify(outcome.statuses))
  return { clock: outcome.perSecond, cpu: outcome.requests / ((await server.cpu()) - before) }
}

/** Returns a row of the table. Each server goes first in every other round. */
async function compare(
  name: string,
  requests: readonly string[],
  servers: readonly [MeasuredServer, MeasuredServer],
) {
  const rounds: { counting: Rate; not: Rate }[] = []
  const [a, b] = servers
  for (let round = 0; round < ROUNDS; round++)
    if (round % 2 === 0)
      rounds.push({ counting: await measure(a, requests), not: await measure(b, requests) })
    else rounds.push({ not: await measure(b, requests), counting: await measure(a, requests) })
  const figures = (['clock', 'cpu'] as const).flatMap(by => [
    Math.round(median(rounds.map(({ counting }) => counting[by]))),
    Math.round(median(rounds.map(({ not }) => not[by]))),
    median(rounds.map(({ counting, not }) => counting[by] / not[by])).toFixed(3),
  ])
  return [name, ...figures]
}

await withFolder(async folder => {
  const servers = [
    await startOther('counted', { folder: join(folder, 'a'), isCounting: true }),
    await startOther('counted', { folder: join(folder, 'b'), isCounting: false }),
  ] as const
  try {
    printRows([COLUMNS, COLUMNS.map(() => '---')])
    for (const [name, requests] of Object.entries(SCENARIOS))
      printRows([await compare(name, requests, servers)])
  } finally {
    await Promise.all(servers.map(server => server.stop()))
  }
})
