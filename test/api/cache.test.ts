import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { contextOf } from '../../src/http/request/context.ts'
import { createApp } from '../../src/server/app.ts'
import { basic, PASSWORD, type Sending, START } from '../helpers/board.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'

const JOB = '/jobs/1.json'
const ENDS = { expiresAt: START + DAY }
const LISTS = ['/jobs.json', '/jobs.json?', '/jobs.json?page=2&per_page=1', '/jobs.json?q=nurse']

let fixture: FixtureBoard
beforeEach(async () => {
  fixture = await openFixtureBoard()
  await insertJobs(fixture.test.board, [
    { title: 'Night nurse', userId: fixture.owner.id, ...ENDS },
    { title: 'Carpenter', ...ENDS },
  ])
})
afterEach(() => fixture.test.close())

const get = (path: string, sending?: Sending) => fixture.test.get(path, sending)

/** Returns a response without its request id. */
async function read(path: string, sending?: Sending) {
  const response = await get(path, sending)
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'x-request-id'))
  return { status: response.status, headers, text: await response.text() }
}

test.each([JOB, `${JOB}?further=1`, ...LISTS])('%s is the same from the cache', async path => {
  const first = await read(path)
  expect(first.status).toBe(200)
  expect(first.headers).toHaveProperty('etag')
  for (let time = 0; time < 3; time++) expect(await read(path)).toEqual(first)
})

test('no response has the headers of another with the same body', async () => {
  const { headers } = await read(JOB)
  expect((await read('/jobs/2.json')).headers['etag']).not.toBe(headers['etag'])
  expect((await read('/jobs/3.json')).headers).not.toHaveProperty('etag')
  const unchanged = await get(JOB, { headers: { 'if-none-match': headers['etag'] ?? '' } })
  expect(unchanged.status).toBe(304)
  expect(unchanged.headers.get('etag')).toBe(headers['etag'] ?? '')
  const ids = new Set<string | null>()
  for (const path of [JOB, JOB, '/jobs.json', '/jobs.json'])
    ids.add((await get(path)).headers.get('x-request-id'))
  expect(ids.size).toBe(4)
})

test.each([JOB, ...LISTS])('%s changes after an update, and after renaming a category', async path => {
  const texts: string[] = []
  // cached each time, before it changes
  const next = async () => {
    for (let time = 0; time < 3; time++) texts.push((await read(path)).text)
  }
  await next()
  const change = { as: fixture.admin, body: { company: 'Another' } }
  for (const id of [1, 2]) await fixture.test.put(`/jobs/${id}.json`, change)
  await next()
  await fixture.test.put('/categories/1.json', { as: fixture.admin, body: { name: 'Renamed' } })
  await next()
  expect(new Set(texts).size).toBe(3)
})

test('cached responses are not used for callers who see more, nor after a job expired', async () => {
  const publicReply = await read(JOB)
  for (let time = 0; time < 3; time++) for (const path of LISTS) await get(path)
  expect(JSON.parse((await read(JOB, { as: fixture.owner })).text)).toHaveProperty('views')
  for (const path of LISTS) {
    const [first] = (await (await get(path, { as: fixture.admin })).json()) as object[]
    expect(first).toHaveProperty('views')
  }
  expect(
    (await get(JOB, { headers: { authorization: basic('owner@example.com', `${PASSWORD}!`) } })).status,
  ).toBe(401)
  expect(await read(JOB)).toEqual(publicReply)
  fixture.test.clock.now += DAY
  for (const path of [JOB, ...LISTS]) {
    const { status, text } = await read(path)
    expect(status === 404 || text === '[]').toBe(true)
  }
})

test('cached responses are counted as views', async () => {
  const browser = {
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0' },
  }
  const times = 3
  for (let time = 0; time < times; time++) for (const path of [JOB, ...LISTS]) await get(path, browser)
  const { paths } = fixture.test.board.traffic.countsOn(fixture.test.board.traffic.today)
  expect(Object.fromEntries(paths)).toEqual({ [JOB]: times, '/jobs.json': times * LISTS.length })
  expect(fixture.test.board.traffic.countsOf(1)).toEqual({ impressions: 0, views: times, applyClicks: 0 })
})

test('a search is cached once for spaces sent as + or %20, and not used for one with a plus sign', async () => {
  const { board } = fixture.test
  const paths = ['night+nurse', 'night%20nurse'].map(q => `/jobs.json?q=${q}`)
  for (const path of [...paths, ...paths]) await get(path)
  const searching = spyOn(board.search, 'search')
  const routing = spyOn(board.responses, 'getOrCreate')
  for (const path of paths) expect(await (await get(path)).json()).toHaveLength(1)
  expect([searching, routing].map(spy => spy.mock.calls.length)).toEqual([0, 0])
  await get('/jobs.json?q=night%2Bnurse')
  expect(searching).toHaveBeenLastCalledWith('night+nurse')
})

test('an error while building a response is logged, and the response is built the next time', async () => {
  const { board, logged } = fixture.test
  for (let time = 0; time < 3; time++) await get('/jobs.json')
  const list = board.responses.replyTo('/jobs.json')?.body
  if (!list) throw new Error('the list is not cached')
  spyOn(list, 'compressedNow').mockReturnValueOnce(undefined)
  const fail = spyOn(list, 'compressed').mockImplementationOnce(() =>
    Promise.reject(new Error('out of memory')),
  )
  Object.defineProperty(list, 'isCompressible', { value: true })
  const zstd = { headers: { 'accept-encoding': 'zstd' } }
  const response = await get('/jobs.json', zstd)
  expect(fail).toHaveBeenCalledTimes(1)
  expect(response.status).toBe(500)
  await board.log.flush()
  const id = response.headers.get('x-request-id') ?? 'none'
  expect(logged.filter(line => line.includes(id)).join('\n')).toContain('out of memory')
  expect((await get('/jobs.json', zstd)).headers.get('content-encoding')).toBe('zstd')
})

/** Returns whether a request reached the routes. */
function isKnown(request: Request): boolean {
  try {
    return contextOf(request).request === request
  } catch {
    return false
  }
}

test('cached responses need no route, and their errors are logged', async () => {
  const { board, logged } = fixture.test
  let routed = 0
  const app = createApp(board, undefined, (_, { request }) => void (routed += isKnown(request) ? 1 : 0))
  const ask = (path: string) => app.fetch(new Request(`http://localhost${path}`))
  for (let time = 0; time < 5; time++) await ask('/jobs.json')
  expect(routed).toBe(2)
  Object.defineProperty(board.jobIndex, 'version', {
    get: () => {
      throw new Error('broken on purpose')
    },
  })
  const response = await ask('/jobs.json')
  expect(response.status).toBe(500)
  expect(await response.text()).toContain(response.headers.get('x-request-id') ?? 'none')
  await board.log.flush()
  expect(logged.some(line => line.includes('broken on purpose'))).toBe(true)
})
