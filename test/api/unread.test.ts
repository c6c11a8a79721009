import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Board } from '../../src/board.ts'
import { createApp, LOOPBACK } from '../../src/server/app.ts'
import { Listener } from '../../src/server/listener.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'
import { RawConnection } from '../helpers/rawConnection.ts'

const MEBIBYTE = 2 ** 20

let fixture: FixtureBoard
beforeAll(async () => {
  fixture = await openFixtureBoard()
  // each 256 KiB
  const description = '😀'.repeat(65_536)
  await insertJobs(
    fixture.test.board,
    Array.from({ length: 12 }, () => ({ title: 'Long read', description })),
  )
})
afterAll(() => fixture.test.close())

const LISTS = ['', '?x=1', '?x=2', '?y=&x=1', '?q=', '?term=+', '?arrangement=']

test('a list is built and cached once, whatever else the query contains', async () => {
  const { board } = fixture.test
  const tags = new Set<string | null>()
  for (let time = 0; time < 3; time++)
    for (const query of LISTS) tags.add((await fixture.test.get(`/jobs.json${query}`)).headers.get('etag'))
  expect(tags.size).toBe(1)
  expect(cachedKeys(board, '/jobs.json')).toEqual(['/jobs.json'])
})

test.each(['/', '/feed.xml', '/feed.json'])(
  '%s is cached once, whatever else the query contains',
  async path => {
    const { board } = fixture.test
    for (let time = 0; time < 3; time++)
      for (const query of LISTS) expect((await fixture.test.get(`${path}${query}`)).status).toBe(200)
    expect(cachedKeys(board, path)).toEqual([path])
  },
)

/** The keys under which a path is cached, of those that its requests could have. */
const cachedKeys = ({ responses }: Board, path: string) =>
  LISTS.map(query => `${path}${query}`).filter(key => responses.replyTo(key))

test("the links of a cached page contain each request's own query", async () => {
  const link = async (query: string) =>
    (await fixture.test.get(`/jobs.json?per_page=1${query}`)).headers.get('link') ?? ''
  for (let time = 0; time < 3; time++) {
    expect(await link('')).toContain('/jobs.json?per_page=1&page=2>; rel="next"')
    expect(await link('&x=1')).toContain('/jobs.json?per_page=1&x=1&page=2>; rel="next"')
    expect(await link('&x=2')).toContain('/jobs.json?per_page=1&x=2&page=2>; rel="next"')
  }
})

test('unread responses are bounded: further ones are 503, except cached ones', async () => {
  const app = createApp(fixture.test.board, { ...LOOPBACK, isOpen: () => true })
  const ask = (path: string) => app.fetch(new Request(`http://localhost${path}`))
  for (let time = 0; time < 3; time++) await (await ask('/jobs.json')).bytes()
  const statuses: number[] = []
  for (const filter of ['', '&term=1', '&category=1'])
    for (let count = 12; count > 0; count--)
      statuses.push((await ask(`/jobs.json?per_page=${count}${filter}`)).status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  // each has a different query
  const sent = statuses.filter(status => status === 200).length
  expect(sent).toBeGreaterThan(10)
  const refused = await ask('/jobs.json?per_page=12&arrangement=remote')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await refused.json()).toEqual({
    error: 'Too many large responses are being sent. Please try again.',
  })
  expect((await ask('/jobs.json')).status).toBe(200)
  expect((await ask('/health.json')).status).toBe(200)
})

test('a compressed response does not count its uncompressed body too', async () => {
  const app = createApp(fixture.test.board, { ...LOOPBACK, isOpen: () => true })
  const headers = { 'accept-encoding': 'gzip' }
  for (const filter of ['&term=1&category=1', '&term=1&arrangement=remote', '&category=1&arrangement=remote'])
    for (let count = 12; count > 0; count--) {
      const url = `http://localhost/jobs.json?per_page=${count}${filter}`
      expect((await app.fetch(new Request(url, { headers }))).status).toBe(200)
    }
})

test('bodies that are being compressed are bounded, even if the clients are gone', async () => {
  const app = createApp(fixture.test.board, { ...LOOPBACK, isOpen: () => false })
  const headers = { 'accept-encoding': 'zstd' }
  // A search is cached only when it is repeated.
  const paths = Array.from({ length: 60 }, (_, at) => `/jobs.json?q=long+read&per_page=${at + 12}`)
  const statusOf = async (path: string) =>
    (await app.fetch(new Request(`http://localhost${path}`, { headers }))).status
  const statuses = await Promise.all(paths.map(statusOf))
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  for (const path of paths) expect(await statusOf(path)).toBe(200)
})

test('a request is open until its response is read', async () => {
  const requests: Request[] = []
  const listener = new Listener({ host: '127.0.0.1', port: 0 })
  listener.serve(request => {
    requests.push(request)
    return new Response(new Blob([new Uint8Array(request.url.endsWith('/large') ? 32 * MEBIBYTE : 1)]))
  })
  const slow = await RawConnection.open(listener.port, { reads: false })
  slow.send(['GET /large HTTP/1.1', 'Host: board'])
  while (requests.length === 0) await Bun.sleep(1)
  await (await fetch(`http://127.0.0.1:${listener.port}/small`)).bytes()
  expect(requests.map(request => listener.isOpen(request))).toEqual([true, false])
  slow.close()
  while (requests[0] && listener.isOpen(requests[0])) await Bun.sleep(1)
  await listener.drain()
})
