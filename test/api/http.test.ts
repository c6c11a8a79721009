import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { Account, TestBoard } from '../helpers/board.ts'
import {
  dump,
  type FixtureBoard,
  insertJobs,
  openFixtureBoard,
  REQUIRED_FIELDS,
  writeLogo,
} from '../helpers/fixtures.ts'
import { formOf, logoFile } from '../helpers/forms.ts'
import { jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard
let board: TestBoard
let logo: string

beforeAll(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
  const name = await writeLogo(board)
  logo = `/logos/${name}`
  await insertJobs(board.board, [
    { userId: fixture.owner.id, logo: name },
    { userId: fixture.owner.id, description: 'Cares. '.repeat(1000) },
    { pending: true },
  ])
})
afterAll(() => board.close())

type CallerName = 'nobody' | 'owner' | 'admin'
type RequestCase = readonly [method: string, path: string, who: CallerName, status: number, more?: object]

const sending = (who: CallerName, more: object = {}): { as?: Account } => ({
  ...(who !== 'nobody' && { as: fixture[who] }),
  ...more,
})
const send = ([method, path, who, , more]: RequestCase) =>
  board.request(method, path.replace('{logo}', logo), sending(who, more))

/** A request for every kind of response. */
const REQUESTS: readonly RequestCase[] = [
  ['GET', '/jobs.json', 'nobody', 200],
  ['GET', '/jobs.json?per_page=1', 'owner', 200],
  ['GET', '/jobs/1.json', 'nobody', 200],
  ['GET', '/health.json', 'nobody', 200],
  ['GET', '{logo}', 'nobody', 200],
  ['HEAD', '/jobs.json', 'nobody', 200],
  ['HEAD', '/nothing', 'nobody', 404],
  ['POST', '/categories.json', 'admin', 201, { body: { name: 'One more' } }],
  ['PUT', '/jobs/1.json', 'owner', 200, { body: {} }],
  ['OPTIONS', '/jobs.json', 'nobody', 204],
  ['GET', '/jobs.json', 'nobody', 304, { headers: { 'if-none-match': '*' } }],
  ['GET', '{logo}', 'nobody', 304, { headers: { 'if-none-match': '*' } }],
  ['POST', '/jobs.json', 'owner', 400, { body: '{', headers: { 'content-type': 'application/json' } }],
  ['GET', '/jobs.json?q=%ff', 'nobody', 400],
  ['POST', '/jobs.json', 'nobody', 401],
  ['GET', '/jobs.json', 'nobody', 401, { headers: { authorization: 'Bearer x' } }],
  ['POST', '/plans.json', 'owner', 403],
  ['GET', '/nothing', 'nobody', 404],
  ['GET', '/nothing.json', 'nobody', 404],
  ['GET', '/jobs/3.json', 'nobody', 404],
  ['GET', '/jobs/x.json', 'nobody', 404],
  ['PATCH', '/jobs/1.json', 'nobody', 405],
  ['DELETE', '/plans/1.json', 'admin', 409],
  ['POST', '/jobs.json', 'owner', 413, { body: { x: 'y'.repeat(2 ** 20) } }],
  ['POST', '/jobs.json', 'owner', 415, { body: '{}', headers: { 'content-type': 'text/plain' } }],
  ['POST', '/jobs.json', 'owner', 422, { body: {} }],
  ['GET', '/jobs.json?page=x', 'nobody', 422],
]

const BY_NAME = REQUESTS.map((requestCase): [string, RequestCase] => [
  `${requestCase[3]} ${requestCase[0]} ${requestCase[1]}`,
  requestCase,
])

describe.each(BY_NAME)('%s', (_, requestCase) => {
  const status = requestCase[3]

  test('has the headers of every response', async () => {
    const { headers, ...response } = await exchange(requestCase)
    expect(response.status).toBe(status)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(headers.get('vary')).toBe('Authorization, Accept-Encoding, Origin')
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(headers.has('access-control-allow-credentials')).toBeFalse()
    expect(headers.has('set-cookie')).toBeFalse()
    expect(headers.has('server')).toBeFalse()
    expect(headers.has('x-powered-by')).toBeFalse()
  })

  test('has the shape of errors, if it is one', async () => {
    const { text, headers } = await exchange(requestCase)
    // the server, not the app, leaves out the body for HEAD
    if (requestCase[0] === 'HEAD') return
    if (status === 204 || status === 304) return expect(text).toBe('')
    if (requestCase[1] === '{logo}') return expect(headers.get('content-type')).toBe('image/webp')
    expect(headers.get('content-type')).toBe('application/json')
    if (status < 400) return
    const { error, errors, ...rest } = JSON.parse(text) as Record<string, unknown>
    expect(rest).toEqual({})
    expect(String(error)).toMatch(/^[A-Z].*[.}…]$/)
    expect(errors !== undefined).toBe(status === 422)
    for (const messages of Object.values(Object(errors ?? {}))) expect(messages).toEqual([expect.any(String)])
  })

  test('is logged without query and credentials', async () => {
    const { id, lines } = await exchange(requestCase)
    const requestLines = lines.filter(line => line['id'] === id)
    const [path = ''] = requestCase[1].replace('{logo}', logo).split('?')
    expect(requestLines).toEqual([
      {
        time: expect.any(String),
        level: 'info',
        message: 'request',
        method: requestCase[0],
        path,
        status,
        ms: expect.any(Number),
        id,
      },
    ])
  })
})

async function exchange(requestCase: RequestCase) {
  const response = await send(
    requestCase[0] === 'POST' && requestCase[3] === 201 ? withName(requestCase) : requestCase,
  )
  const text = await response.text()
  await board.board.log.flush()
  const lines = board.logged.map(line => JSON.parse(line) as Record<string, unknown>)
  return {
    status: response.status,
    headers: response.headers,
    text,
    lines,
    id: response.headers.get('x-request-id'),
  }
}

const withName = ([method, path, who, status]: RequestCase): RequestCase => [
  method,
  path,
  who,
  status,
  { body: { name: crypto.randomUUID() } },
]

test('request ids are unique and never chosen by clients', async () => {
  const ids = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const response = await board.get('/health.json', { headers: { 'x-request-id': 'mine' } })
      return response.headers.get('x-request-id')
    }),
  )
  expect(new Set(ids).size).toBe(50)
  expect(ids).not.toContain('mine')
})

test('no secret is logged', async () => {
  for (const requestCase of REQUESTS) await send(requestCase)
  await board.board.log.flush()
  const log = board.logged.join('\n')
  expect(board.logged.length).toBeGreaterThanOrEqual(REQUESTS.length)
  for (const secret of [
    fixture.owner.authorization,
    fixture.owner.authorization.slice(6),
    'Bearer',
    'page=x',
    'q=',
    '?',
  ])
    expect(log).not.toContain(secret)
})

describe('an internal error', () => {
  test('is reported without its cause, which is logged with the same id', async () => {
    const brokenBoard = await openFixtureBoard()
    const [id] = await insertJobs(brokenBoard.test.board, [{ categoryId: 77 }])
    const response = await brokenBoard.test.get(`/jobs/${id}.json`)
    const text = await response.text()
    const requestId = response.headers.get('x-request-id') ?? ''
    expect(response.status).toBe(500)
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['error'])
    expect(text).toContain(requestId)
    expect(text).not.toContain('refers')
    await brokenBoard.test.board.log.flush()
    const lines = brokenBoard.test.logged.filter(line => line.includes(requestId))
    expect(lines.map(line => (JSON.parse(line) as Record<string, unknown>)['level'])).toEqual([
      'error',
      'info',
    ])
    expect(lines[0]).toContain('refers to a missing record')
    await brokenBoard.test.close()
  })
})

test('with a full disk, writes are refused and reads work', async () => {
  const { store } = board.board
  const write = store.write.bind(store)
  store.write = change => write(change, { size: 2 ** 60 })
  const before = dump(board)
  for (const [method, path, body] of [
    ['POST', '/jobs.json', REQUIRED_FIELDS],
    ['PUT', '/jobs/1.json', { title: 'x' }],
    ['PUT', '/jobs/1.json', formOf({ logo: logoFile() })],
    ['DELETE', '/jobs/1.json', undefined],
    ['DELETE', '/categories/1.json', undefined],
    ['POST', '/users.json', { email: 'full@example.com', password: 'long enough' }],
  ] as const) {
    const response = await board.request(method, path, { as: fixture.admin, ...(body && { body }) })
    expect([method, path, response.status]).toEqual([method, path, 507])
    expect(await jsonObject(response)).toEqual({ error: expect.stringContaining('full') })
  }
  expect(dump(board)).toEqual(before)
  expect((await board.get('/jobs.json')).status).toBe(200)
  expect((await board.get('/users/me.json', { as: fixture.owner })).status).toBe(200)
  store.write = write
  expect((await board.put('/jobs/1.json', { as: fixture.admin, body: { title: 'x' } })).status).toBe(200)
})

describe('an ETag', () => {
  const get = (path: string, tag: string, who: CallerName = 'nobody') =>
    board.get(path, sending(who, { headers: { 'if-none-match': tag } }))
  const tagOf = async (path: string, who: CallerName = 'nobody') =>
    (await board.get(path, sending(who))).headers.get('etag') ?? ''

  test.each([
    ['/jobs.json', 'nobody'],
    ['/jobs.json?q=cares&per_page=1', 'nobody'],
    ['/jobs.json', 'admin'],
    ['/jobs/1.json', 'nobody'],
    ['/jobs/1.json', 'owner'],
    ['/categories.json', 'owner'],
    ['/plans/1.json', 'admin'],
    ['/users/me.json', 'owner'],
    ['/health.json', 'nobody'],
  ] as const)('of %s for %s saves the body until it changes', async (path, who) => {
    const tag = await tagOf(path, who)
    expect(tag).not.toBe('')
    for (const header of [tag, `"x", ${tag}`, tag.replace('W/', ''), '*', ` ${tag} `]) {
      const response = await get(path, header, who)
      expect([response.status, await response.text()]).toEqual([304, ''])
      expect(response.headers.get('etag')).toBe(tag)
      expect(response.headers.get('cache-control')).toBe(who === 'nobody' ? 'no-cache' : 'private, no-store')
    }
    for (const header of ['"x"', 'W/"x"', tag.slice(0, -2), ''])
      expect((await get(path, header, who)).status).toBe(200)
  })

  test('changes only where the content changed', async () => {
    const put = (path: string, body: object) => board.put(path, { as: fixture.admin, body })
    const paths = ['/jobs.json', '/jobs/1.json', '/jobs/2.json']
    const tags = () => Promise.all(paths.map(path => tagOf(path)))
    const before = await tags()
    await put('/jobs/1.json', { title: crypto.randomUUID() })
    const after = await tags()
    expect(after.map((tag, at) => tag === before[at])).toEqual([false, false, true])
    await put('/plans/1.json', { name: 'Renamed' })
    const last = await tags()
    expect(last.map((tag, at) => tag === after[at])).toEqual([false, false, false])
    await put('/plans/1.json', { name: 'Basic' })
    expect(await tags()).toEqual(after)
  })

  test('differs between callers who see different content', async () => {
    expect(await tagOf('/jobs/1.json')).not.toBe(await tagOf('/jobs/1.json', 'owner'))
    expect((await get('/jobs/1.json', await tagOf('/jobs/1.json'), 'owner')).status).toBe(200)
  })

  test('is on no write and no error', async () => {
    for (const requestCase of REQUESTS.filter(
      ([method, , , status]) => method !== 'HEAD' && status !== 200 && status !== 304,
    ))
      expect((await send(requestCase)).headers.has('etag')).toBeFalse()
    const written = await board.put('/jobs/1.json', { as: fixture.owner, headers: { 'if-none-match': '*' } })
    expect([written.status, written.headers.has('etag')]).toEqual([200, false])
  })
})

test.each([
  ['GET', '/jobs.json', 'nobody', 'no-cache'],
  ['HEAD', '/jobs/1.json', 'nobody', 'no-cache'],
  ['GET', '/jobs.json', 'owner', 'private, no-store'],
  ['GET', '/health.json', 'admin', 'private, no-store'],
  ['GET', '/users/me.json', 'owner', 'private, no-store'],
  ['PUT', '/jobs/1.json', 'owner', 'private, no-store'],
  ['POST', '/jobs.json', 'nobody', 'private, no-store'],
] as const)('%s %s for %s has cache-control %s', async (method, path, who, expected) =>
  expect((await board.request(method, path, sending(who))).headers.get('cache-control')).toBe(expected),
)

describe('compression', () => {
  const LARGE = '/jobs/2.json'
  const requestCase = (encoding: string, path = LARGE) =>
    board.get(path, { headers: { 'accept-encoding': encoding } })

  test.each([
    ['gzip', 'gzip'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['GZIP', 'gzip'],
    ['gzip;q=1, zstd;q=0.5', 'gzip'],
    ['gzip;q=0.1', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0.5, zstd;q=0', 'gzip'],
    ['br', null],
    ['', null],
    ['identity', null],
    ['gzip;q=0', null],
    ['gzip;q=0.000', null],
    ['gzip;q=0, zstd;q=0', null],
    ['gzip;q=0, *', 'zstd'],
    ['*;q=0', null],
    ['identity;q=1, gzip;q=0.5', null],
    ['gzip;q=nonsense', null],
    [';;,,q=', null],
  ])('for %j is %p', async (header, encoding) => {
    const plain = await (await board.get(LARGE)).text()
    const response = await requestCase(header)
    expect(response.headers.get('content-encoding')).toBe(encoding)
    const bytes = await response.bytes()
    const text =
      encoding === 'gzip' ? gunzipSync(bytes) : encoding === 'zstd' ? zstdDecompressSync(bytes) : bytes
    expect(Buffer.from(text).toString()).toBe(plain)
    if (encoding) expect(bytes.length).toBeLessThan(plain.length)
  })

  test('applies to bodies over 1 KiB', async () => {
    const { length } = await (await board.get('/health.json')).bytes()
    expect(length).toBeLessThan(1024)
    expect((await requestCase('gzip', '/health.json')).headers.has('content-encoding')).toBeFalse()
    expect((await requestCase('gzip', logo)).headers.has('content-encoding')).toBeFalse()
  })

  test('keeps the ETag, and matches it', async () => {
    const tag = (await board.get(LARGE)).headers.get('etag') ?? ''
    expect((await requestCase('gzip')).headers.get('etag')).toBe(tag)
    const headers = { 'accept-encoding': 'gzip', 'if-none-match': tag }
    const response = await board.get(LARGE, { headers })
    expect([response.status, response.headers.get('content-encoding')]).toEqual([304, null])
  })
})

test.each([
  '/jobs.json',
  '/jobs.json?per_page=1',
  '/jobs/2.json',
  '/health.json',
  '/users/me.json',
  '/jobs/99.json',
  '{logo}',
])('HEAD %s has the headers of GET', async path => {
  for (const encoding of ['', 'gzip']) {
    const requestCase = (method: string) =>
      board.request(method, path.replace('{logo}', logo), {
        as: fixture.owner,
        headers: { 'accept-encoding': encoding },
      })
    const [get, head] = [await requestCase('GET'), await requestCase('HEAD')]
    const plain = ({ headers }: Response) =>
      Object.fromEntries([...headers].filter(([name]) => !['x-request-id', 'content-length'].includes(name)))
    expect(head.status).toBe(get.status)
    expect(plain(head)).toEqual(plain(get))
    expect(await head.text()).toBe('')
  }
})
