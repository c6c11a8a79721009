import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Store } from '../../src/store/store.ts'
import { basic } from '../helpers/board.ts'
import { mmdb } from '../helpers/mmdb.ts'
import { Corkboard, corkboard, EXECUTABLE, until } from '../helpers/process.ts'
import { ADDRESSES, BOT, BROWSER } from '../helpers/visitors.ts'

const ADMIN = { CORKBOARD_ADMIN_EMAIL: 'ada@example.com', CORKBOARD_ADMIN_PASSWORD: 'correct horse' }
const AUTHORIZATION = basic(ADMIN.CORKBOARD_ADMIN_EMAIL, ADMIN.CORKBOARD_ADMIN_PASSWORD)
/** Peers, of which the first is a trusted proxy. */
const PROXY = '127.0.0.1'
const STRANGER = '127.0.0.2'

let folder: string
let server: Corkboard
let url: string

/** Starts the executable in the test's folder. */
async function start(...args: string[]) {
  server = new Corkboard(['serve', '--sample', '--port', '0', '--trust-proxy', PROXY, ...args], {
    variables: ADMIN,
    folder,
    program: EXECUTABLE,
  })
  url = await server.url()
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-analytics-'))
})
afterEach(async () => {
  await server.end('SIGKILL')
  await rm(folder, { recursive: true })
})

interface Sending {
  readonly method?: string
  /** The address of this machine that it is sent from. */
  readonly peer?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Returns the status of the response to a browser that sends only these headers. */
async function send(
  path: string,
  { method = 'GET', peer = PROXY, headers = {}, body = '' }: Sending = {},
): Promise<number> {
  const length = String(Buffer.byteLength(body))
  const all = { host: 'x', connection: 'close', 'content-length': length, 'user-agent': BROWSER, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect({ port: Number(new URL(url).port), host: PROXY, localAddress: peer })
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  const response = await text(socket)
  return Number(response.slice('HTTP/1.1 '.length).split(' ', 1))
}

const postEvent = (event: object, headers: Record<string, string> = {}) =>
  send('/events.json', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(event),
  })

interface Report {
  readonly events_per_day: Record<string, number>
  readonly [tops: string]: unknown
}

/** Returns the report of yesterday and today, in case the day changes during the test. */
async function report() {
  const response = await fetch(`${url}/analytics.json?days=2`, { headers: { authorization: AUTHORIZATION } })
  const { events_per_day: days, ...rest } = (await response.json()) as Report // as the interface says
  return { ...rest, events: Object.values(days).reduce((sum, count) => sum + count, 0) }
}

async function viewsOf(id: number): Promise<unknown> {
  const response = await fetch(`${url}/jobs/${id}.json`, { headers: { authorization: AUTHORIZATION } })
  return ((await response.json()) as Record<string, unknown>)['views']
}

test('reports exactly the page views that count', async () => {
  await start()
  const statuses: number[] = []
  for (const address of Object.values(ADDRESSES))
    statuses.push(
      await send('/jobs.json', {
        headers: { 'x-forwarded-for': address, referer: 'https://www.search.example/?q=jobs' },
      }),
    )
  const from = (address: string) => ({ 'x-forwarded-for': address })
  statuses.push(
    // the rightmost address that no trusted proxy added
    await send('/jobs/3.json', { headers: from(`${ADDRESSES.Japan}, ${ADDRESSES.France}, 127.0.0.1`) }),
    await send('/jobs/3.json', { headers: from(`::ffff:${ADDRESSES.France}`) }),
    await send('/jobs/3.json', { headers: from('192.168.1.7') }),
    // an unknown proxy isn't trusted
    await send('/jobs/3.json', { peer: STRANGER, headers: from(ADDRESSES.Brazil) }),
    await send('/jobs/4.json', { headers: { ...from(ADDRESSES.Germany), referer: `${url}/jobs` } }),
    // none of these is counted
    await send('/jobs.json', { headers: { ...from(ADDRESSES.Germany), 'user-agent': BOT } }),
    await send('/jobs.json', { headers: { ...from(ADDRESSES.Germany), 'user-agent': '' } }),
    await send('/jobs.json', { headers: { ...from(ADDRESSES.Germany), authorization: AUTHORIZATION } }),
    await send('/jobs/3.json', { method: 'HEAD', headers: from(ADDRESSES.Germany) }),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await send('/jobs/999.json')).toBe(404)
  expect(
    await postEvent({ path: '/welcome?ref=1', referrer: 'https://news.example/a' }, from(ADDRESSES.China)),
  ).toBe(202)
  expect(await postEvent({ path: '/welcome' }, { ...from(ADDRESSES.China), 'user-agent': BOT })).toBe(202)

  const expected = {
    events: 12,
    top_paths: { '/jobs.json': 6, '/jobs/3.json': 4, '/jobs/4.json': 1, '/welcome': 1 },
    top_countries: { France: 3, China: 2, Germany: 2, Unknown: 2, Brazil: 1, Japan: 1, 'United States': 1 },
    top_sources: { 'search.example': 6, 'news.example': 1 },
    jobs: 26,
    subscribers: 0,
    users: 1,
  }
  expect(await report()).toEqual(expected)
  expect([await viewsOf(3), await viewsOf(4), await viewsOf(5)]).toEqual([4, 1, 0])

  // a graceful stop doesn't change it
  expect(await server.end('SIGTERM')).toBe(0)
  await start()
  expect(await report()).toEqual(expected)
  expect(await viewsOf(3)).toBe(4)
})

test('loses at most the counts of the last ten seconds when it is killed', async () => {
  await start()
  for (let time = 0; time < 3; time++) await send('/jobs/3.json')
  const store = await Store.open(join(folder, 'data'), { shared: true })
  // waits for ten seconds at most
  await until(() => store.read.days.all()[0]?.total === 3)
  await store.close()
  await send('/jobs/3.json')
  expect((await report()).events).toBe(4)
  await server.end('SIGKILL')
  await start()
  expect((await report()).events).toBeOneOf([3, 4])
  expect(await viewsOf(3)).toBeOneOf([3, 4])
})

test('stores nothing about visitors on disk', async () => {
  await start()
  const address = '185.199.108.153'
  const secrets = [address, 'KnownBrowser', 'known-page', 'known-query', 'known-event', 'known-origin']
  const headers = {
    'x-forwarded-for': address,
    'user-agent': `${BROWSER} KnownBrowser/1.0`,
    referer: 'https://known-source.example/known-page?known-query',
    origin: 'https://known-origin.example',
  }
  for (let id = 1; id <= 20; id++) await send(`/jobs/${id}.json?known-query`, { headers })
  await postEvent({ path: '/told?known-event', referrer: 'https://told.example/known-page' }, headers)
  expect((await report()).events).toBe(21)
  expect(await server.end('SIGTERM')).toBe(0)

  const data = join(folder, 'data')
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter(file => file.isFile())
  const content = Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))))
  const holds = (secret: string) =>
    content.includes(secret) || content.includes(Buffer.from(secret, 'utf16le'))
  // the search finds what should be there, so it would find the rest too
  expect(['known-source.example', 'told.example', '/jobs/20.json', '/told'].filter(holds)).toHaveLength(4)
  expect(secrets.filter(holds)).toEqual([])
})

describe('--geoip-db', () => {
  test('replaces the embedded database', async () => {
    await writeFile(join(folder, 'own.mmdb'), mmdb({ '8.8.8.0/24': { country: { iso_code: 'IS' } } }))
    await start('--geoip-db', 'own.mmdb')
    for (const address of [ADDRESSES['United States'], ADDRESSES.Germany])
      await send('/jobs.json', { headers: { 'x-forwarded-for': address } })
    expect(await report()).toMatchObject({ top_countries: { Iceland: 1, Unknown: 1 } })
  })

  test('refuses to start with a file that is not a database', async () => {
    await writeFile(join(folder, 'text'), 'no database')
    const args = ['serve', '--port', '0', '--geoip-db', join(folder, 'text')]
    const { status, out, err } = await corkboard(args, { folder, program: EXECUTABLE })
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(/^--geoip-db must be a country database in mmdb format.*\n$/)
    expect(readdirSync(folder)).toEqual(['text'])
  })
})
