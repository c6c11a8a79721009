import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { Account, TestBoard } from '../helpers/board.ts'
import {
  dump,
  type FixtureBoard,
  insertJobs,
  openFixtureBoard,
  REQUIRED_FIELDS,
} from '../helpers/fixtures.ts'
import { png } from '../helpers/pictures.ts'
import { jsonObject } from '../helpers/responses.ts'
import { routesOfBoard } from '../helpers/routes.ts'

let fixture: FixtureBoard
let board: TestBoard
let logo: string

beforeAll(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
  const name = await board.board.images.logos.write({ bytes: new Uint8Array([1]) })
  logo = `/logos/${name}`
  await insertJobs(board.board, [
    { userId: fixture.owner.id, logo: name },
    { userId: fixture.owner.id, description: 'Cares. '.repeat(1000) },
    { pending: true },
  ])
})
afterAll(() => board.close())

type Who = 'nobody' | 'owner' | 'admin'
type Ask = readonly [method: string, path: string, who: Who, status: number, more?: object]

const sending = (who: Who, more: object = {}): { as?: Account } => ({
  ...(who !== 'nobody' && { as: fixture[who] }),
  ...more,
})
const send = ([method, path, who, , more]: Ask) =>
  board.request(method, path.replace('{logo}', logo), sending(who, more))

/** One of every sort of answer. */
const ANSWERS: readonly Ask[] = [
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

const BY_NAME = ANSWERS.map((ask): [string, Ask] => [`${ask[3]} ${ask[0]} ${ask[1]}`, ask])

describe.each(BY_NAME)('%s', (_, ask) => {
  const status = ask[3]

  test('has what is on every answer', async () => {
    const { headers, ...answer } = await answerOf(ask)
    expect(answer.status).toBe(status)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(headers.get('vary')).toBe('Authorization, Accept-Encoding, Origin')
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(headers.has('access-control-allow-credentials')).toBeFalse()
    expect(headers.has('set-cookie')).toBeFalse()
    expect(headers.has('server')).toBeFalse()
    expect(headers.has('x-powered-by')).toBeFalse()
  })

  test('has the one shape, if it is a refusal', async () => {
    const { text, headers } = await answerOf(ask)
    // that no body goes out with HEAD is the server's affair, not the app's
    if (ask[0] === 'HEAD') return
    if (status === 204 || status === 304) return expect(text).toBe('')
    if (ask[1] === '{logo}') return expect(headers.get('content-type')).toBe('image/webp')
    expect(headers.get('content-type')).toBe('application/json')
    if (status < 400) return
    const { error, errors, ...rest } = JSON.parse(text) as Record<string, unknown>
    expect(rest).toEqual({})
    expect(String(error)).toMatch(/^[A-Z].*[.}…]$/)
    expect(errors !== undefined).toBe(status === 422)
    for (const messages of Object.values(Object(errors ?? {}))) expect(messages).toEqual([expect.any(String)])
  })

  test('has a line in the log, without query and credentials', async () => {
    const { id, lines } = await answerOf(ask)
    const requestLines = lines.filter(line => line['id'] === id)
    const [path = ''] = ask[1].replace('{logo}', logo).split('?')
    expect(requestLines).toEqual([
      {
        time: expect.any(String),
        level: 'info',
        message: 'request',
        method: ask[0],
        path,
        status,
        ms: expect.any(Number),
        id,
      },
    ])
  })
})

async function answerOf(ask: Ask) {
  const answer = await send(ask[0] === 'POST' && ask[3] === 201 ? withName(ask) : ask)
  const text = await answer.text()
  await board.board.log.flush()
  const lines = board.logged.map(line => JSON.parse(line) as Record<string, unknown>)
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    lines,
    id: answer.headers.get('x-request-id'),
  }
}

const withName = ([method, path, who, status]: Ask): Ask => [
  method,
  path,
  who,
  status,
  { body: { name: crypto.randomUUID() } },
]

test('request ids are never the same, and nobody chooses them', async () => {
  const ids = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const answer = await board.get('/health.json', { headers: { 'x-request-id': 'mine' } })
      return answer.headers.get('x-request-id')
    }),
  )
  expect(new Set(ids).size).toBe(50)
  expect(ids).not.toContain('mine')
})

test('nothing that is secret was logged', async () => {
  await board.board.log.flush()
  const log = board.logged.join('\n')
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

describe('a fault of ours', () => {
  test('is told without its cause, which is in the log under the same id', async () => {
    const broken = await openFixtureBoard()
    const [id] = await insertJobs(broken.test.board, [{ categoryId: 77 }])
    const answer = await broken.test.get(`/jobs/${id}.json`)
    const text = await answer.text()
    const requestId = answer.headers.get('x-request-id') ?? ''
    expect(answer.status).toBe(500)
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['error'])
    expect(text).toContain(requestId)
    expect(text).not.toContain('refers')
    await broken.test.board.log.flush()
    const lines = broken.test.logged.filter(line => line.includes(requestId))
    expect(lines.map(line => (JSON.parse(line) as Record<string, unknown>)['level'])).toEqual([
      'error',
      'info',
    ])
    expect(lines[0]).toContain('refers to a missing record')
    await broken.test.close()
  })
})

test('a full disk takes nothing and gives what it has', async () => {
  const { store } = board.board
  const write = store.write.bind(store)
  store.write = change => write(change, 2 ** 60)
  const before = dump(board)
  const logoForm = new FormData()
  logoForm.append('logo', new Blob([png(2, 2)]), 'logo.png')
  for (const [method, path, body] of [
    ['POST', '/jobs.json', REQUIRED_FIELDS],
    ['PUT', '/jobs/1.json', { title: 'x' }],
    ['PUT', '/jobs/1.json', logoForm],
    ['DELETE', '/jobs/1.json', undefined],
    ['DELETE', '/categories/1.json', undefined],
    ['POST', '/users.json', { email: 'full@example.com', password: 'long enough' }],
  ] as const) {
    const answer = await board.request(method, path, { as: fixture.admin, ...(body && { body }) })
    expect([method, path, answer.status]).toEqual([method, path, 507])
    expect(await jsonObject(answer)).toEqual({ error: expect.stringContaining('full') })
  }
  expect(dump(board)).toEqual(before)
  expect((await board.get('/jobs.json')).status).toBe(200)
  expect((await board.get('/users/me.json', { as: fixture.owner })).status).toBe(200)
  store.write = write
  expect((await board.put('/jobs/1.json', { as: fixture.admin, body: { title: 'x' } })).status).toBe(200)
})

describe('an ETag', () => {
  const get = (path: string, tag: string, who: Who = 'nobody') =>
    board.get(path, sending(who, { headers: { 'if-none-match': tag } }))
  const tagOf = async (path: string, who: Who = 'nobody') =>
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
  ] as const)('of %s to %s saves the body until it changes', async (path, who) => {
    const tag = await tagOf(path, who)
    expect(tag).not.toBe('')
    for (const header of [tag, `"x", ${tag}`, tag.replace('W/', ''), '*', ` ${tag} `]) {
      const answer = await get(path, header, who)
      expect([answer.status, await answer.text()]).toEqual([304, ''])
      expect(answer.headers.get('etag')).toBe(tag)
      expect(answer.headers.get('cache-control')).toBe(who === 'nobody' ? 'no-cache' : 'private, no-store')
    }
    for (const header of ['"x"', 'W/"x"', tag.slice(0, -2), ''])
      expect((await get(path, header, who)).status).toBe(200)
  })

  test('changes with a change, and only of what changed', async () => {
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

  test('differs between those who are shown different things', async () => {
    expect(await tagOf('/jobs/1.json')).not.toBe(await tagOf('/jobs/1.json', 'owner'))
    expect((await get('/jobs/1.json', await tagOf('/jobs/1.json'), 'owner')).status).toBe(200)
  })

  test('is on no write and no refusal', async () => {
    for (const ask of ANSWERS.filter(
      ([method, , , status]) => method !== 'HEAD' && status !== 200 && status !== 304,
    ))
      expect((await send(ask)).headers.has('etag')).toBeFalse()
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
] as const)('%s %s to %s is kept by caches as %s', async (method, path, who, expected) =>
  expect((await board.request(method, path, sending(who))).headers.get('cache-control')).toBe(expected),
)

describe('compression', () => {
  const LARGE = '/jobs/2.json'
  const ask = (encoding: string, path = LARGE) =>
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
    const answer = await ask(header)
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    const bytes = await answer.bytes()
    const text =
      encoding === 'gzip' ? gunzipSync(bytes) : encoding === 'zstd' ? zstdDecompressSync(bytes) : bytes
    expect(Buffer.from(text).toString()).toBe(plain)
    if (encoding) expect(bytes.length).toBeLessThan(plain.length)
  })

  test('is for what is over 1 KiB', async () => {
    const { length } = await (await board.get('/health.json')).bytes()
    expect(length).toBeLessThan(1024)
    expect((await ask('gzip', '/health.json')).headers.has('content-encoding')).toBeFalse()
    expect((await ask('gzip', logo)).headers.has('content-encoding')).toBeFalse()
  })

  test('leaves the tag as it is, and knows it', async () => {
    const tag = (await board.get(LARGE)).headers.get('etag') ?? ''
    expect((await ask('gzip')).headers.get('etag')).toBe(tag)
    const headers = { 'accept-encoding': 'gzip', 'if-none-match': tag }
    const answer = await board.get(LARGE, { headers })
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([304, null])
  })
})

describe('other sites’ pages', () => {
  const ORIGIN = 'https://front.example'
  const preflight = (site: TestBoard, method: string, path = '/jobs.json', origin = ORIGIN) =>
    site.request('OPTIONS', path, { headers: { origin, 'access-control-request-method': method } })
  const allowed = ({ headers }: Response) => [
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-methods'),
    headers.get('access-control-allow-headers')?.includes('Authorization') ?? null,
  ]

  test('may read, if nothing else is said', async () => {
    const answer = await board.get('/jobs.json', { headers: { origin: ORIGIN } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toBe(
      'Link, X-Total-Count, X-Search, X-Search-Corrected, ETag, Location',
    )
    for (const path of ['/nothing', '/users.json', logo])
      expect((await board.get(path)).headers.get('access-control-allow-origin')).toBe('*')
    const written = await board.post('/jobs.json', { as: fixture.owner, headers: { origin: ORIGIN } })
    expect(written.headers.has('access-control-allow-origin')).toBeFalse()
    expect(allowed(await preflight(board, 'GET'))).toEqual(['*', 'GET, HEAD, OPTIONS', false])
    expect(allowed(await preflight(board, 'PUT', '/jobs/1.json'))).toEqual(['*', 'GET, HEAD, OPTIONS', false])
  })

  test('that are named may use every verb and sign in, others nothing', async () => {
    const { test: site } = await openFixtureBoard('--cors-origin', `${ORIGIN},https://other.example`)
    const origins = [
      [ORIGIN, ORIGIN],
      ['https://other.example', 'https://other.example'],
      ['https://evil.example', null],
      [`${ORIGIN}.evil.example`, null],
      ['http://front.example', null],
      ['null', null],
    ] as const
    for (const [origin, expected] of origins) {
      for (const [method, path] of [
        ['GET', '/jobs.json'],
        ['POST', '/jobs.json'],
        ['GET', '/nothing'],
      ] as const) {
        const answer = await site.request(method, path, { headers: { origin } })
        expect(answer.headers.get('access-control-allow-origin')).toBe(expected)
      }
    }
    expect((await site.get('/jobs.json')).headers.has('access-control-allow-origin')).toBeFalse()
    expect(allowed(await preflight(site, 'PUT', '/jobs/1.json'))).toEqual([
      ORIGIN,
      'GET, HEAD, PUT, DELETE, OPTIONS',
      true,
    ])
    const [origin] = allowed(await preflight(site, 'PUT', '/jobs/1.json', 'https://evil.example'))
    expect(origin).toBeNull()
    await site.close()
  })
})

describe('verbs', () => {
  /** Each path of the interface, and what it knows. */
  const KNOWN: readonly (readonly [string, string])[] = [
    ['/health.json', 'GET, HEAD, OPTIONS'],
    ['/jobs.json', 'GET, HEAD, POST, OPTIONS'],
    ['/jobs/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/jobs/1.png', 'GET, HEAD, OPTIONS'],
    ['/jobs/1/approve.json', 'PUT, OPTIONS'],
    ['/categories.json', 'GET, HEAD, POST, OPTIONS'],
    ['/categories/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/terms.json', 'GET, HEAD, POST, OPTIONS'],
    ['/terms/999.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/plans.json', 'GET, HEAD, POST, OPTIONS'],
    ['/plans/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/plans/1/archive.json', 'PUT, OPTIONS'],
    ['/plans/1/activate.json', 'PUT, OPTIONS'],
    ['/users.json', 'GET, HEAD, POST, OPTIONS'],
    ['/users/me.json', 'GET, HEAD, OPTIONS'],
    ['/users/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/users/confirm.json', 'GET, HEAD, POST, OPTIONS'],
    ['/subscribers.json', 'GET, HEAD, POST, OPTIONS'],
    ['/subscribers/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/subscribers/confirm.json', 'GET, HEAD, POST, OPTIONS'],
    ['/subscribers/unsubscribe.json', 'GET, HEAD, POST, OPTIONS'],
    ['/analytics.json', 'GET, HEAD, OPTIONS'],
    ['/events.json', 'POST, OPTIONS'],
    ['/password-resets.json', 'POST, OPTIONS'],
    ['/password-resets/token.json', 'PUT, OPTIONS'],
    ['/', 'GET, HEAD, OPTIONS'],
    ['/jobs/1', 'GET, HEAD, OPTIONS'],
    ['/subscribe', 'GET, HEAD, OPTIONS'],
    ['/feed.xml', 'GET, HEAD, OPTIONS'],
    ['/feed.json', 'GET, HEAD, OPTIONS'],
    ['/sitemap.xml', 'GET, HEAD, OPTIONS'],
    ['/robots.txt', 'GET, HEAD, OPTIONS'],
    ['/pages/style.css', 'GET, HEAD, OPTIONS'],
    ['/structured-data.json', 'GET, HEAD, OPTIONS'],
    ['/logos/0123456789abcdef-0123456789abcdef0123456789abcdef.webp', 'GET, HEAD, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
    ['/docs', 'GET, HEAD, OPTIONS'],
    ['/docs/:name', 'GET, HEAD, OPTIONS'],
  ]

  test.each(KNOWN)('of %s are %s', async (path, allow) => {
    const verbs = allow.split(', ')
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'].filter(verb => !verbs.includes(verb))
    for (const method of others) {
      const answer = await board.request(method, path, { as: fixture.admin })
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, allow])
    }
    const options = await board.request('OPTIONS', `${path}?x=1`)
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow])
  })

  test('every route is among those paths', () => {
    const pathOf = (path: string) =>
      path
        .replace(/\/\d+/, '/{id}')
        .replace(/^(\/(?:logos|pages|docs)\/).*/, '$1{name}')
        .replace('/token.json', '/{token}.json')
    const known = new Set(KNOWN.map(([path]) => pathOf(path)))
    for (const { path } of routesOfBoard(board.board)) expect(known).toContain(path)
  })

  test.each([
    '/jobs',
    '/jobs/01.json',
    '/jobs/0.json',
    '/jobs/-1.json',
    '/jobs/+1.json',
    '/jobs/1.5.json',
    '/jobs/1e3.json',
    '/jobs/x.json',
    '/jobs/1.JSON',
    '/jobs/1.xml',
    '/jobs/1.json.json',
    '/jobs/9007199254740993.json',
    '/jobs/99999999999999999999999.json',
    '/jobs/%00.json',
    '/jobs/%ff.json',
    '/jobs/%zz.json',
    '/jobs/%E0%A4%A.json',
    '/jobs/1.json%20',
    '/jobs/1.json;x=1',
    '/%',
    '/jobs/1%2f.json',
    '/jobs/..%2f..%2fetc%2fpasswd.json',
    '/jobs/.json',
    '/jobs/',
    '/jobs.json/',
    '//jobs.json',
    '/Jobs.json',
    '/jobs/1/approve',
    '/jobs/x/approve.json',
    '/jobs/1.json/approve.json',
    '/plans/1/delete.json',
    '/users/me',
    '/__proto__.json',
    '/constructor',
    '/index.html',
    '/.env',
  ])('of %s there are none', async path => {
    for (const who of ['nobody', 'owner', 'admin'] as const)
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'POST', 'PATCH', 'OPTIONS']) {
        const answer = await board.request(method, path, sending(who))
        expect([who, method, answer.status]).toEqual([who, method, 404])
      }
    expect(await jsonObject(board.get(path))).toEqual({ error: 'No such path.' })
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
    const ask = (method: string) =>
      board.request(method, path.replace('{logo}', logo), {
        as: fixture.owner,
        headers: { 'accept-encoding': encoding },
      })
    const [get, head] = [await ask('GET'), await ask('HEAD')]
    const plain = ({ headers }: Response) =>
      Object.fromEntries([...headers].filter(([name]) => !['x-request-id', 'content-length'].includes(name)))
    expect(head.status).toBe(get.status)
    expect(plain(head)).toEqual(plain(get))
    expect(await head.text()).toBe('')
  }
})
