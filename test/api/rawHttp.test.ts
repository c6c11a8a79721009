import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Listener } from '../../src/server/listener.ts'
import type { TestBoard } from '../helpers/board.ts'
import {
  dump,
  type FixtureBoard,
  insertJobs,
  openFixtureBoard,
  REQUIRED_FIELDS,
} from '../helpers/fixtures.ts'
import { formOf } from '../helpers/forms.ts'
import { listen, RawConnection } from '../helpers/rawConnection.ts'
import { jsonObject } from '../helpers/responses.ts'

const MiB = 2 ** 20

let fixture: FixtureBoard
let board: TestBoard
let listener: Listener
const wires: RawConnection[] = []

beforeAll(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
  await insertJobs(board.board, [{ description: 'Cares. '.repeat(1000), userId: fixture.owner.id }])
  listener = listen(board)
})
afterEach(() => {
  for (const wire of wires.splice(0)) wire.close()
})
afterAll(async () => {
  await listener.drain()
  await board.close()
})

async function open(): Promise<RawConnection> {
  const wire = await RawConnection.open(listener.port)
  wires.push(wire)
  return wire
}

async function ask(lines: readonly string[], body?: string | Uint8Array) {
  const wire = await open()
  wire.send(lines, body)
  return await wire.readResponse({ head: lines[0]?.startsWith('HEAD') ?? false })
}

const HOST = 'Host: localhost'
const admin = () => `Authorization: ${fixture.admin.authorization}`
const parse = (body: string) => JSON.parse(Buffer.from(body, 'latin1').toString()) as Record<string, unknown>
const json = (value: unknown) => Buffer.from(JSON.stringify(value))

test.each(['/jobs.json', '/jobs/1.json', '/health.json', '/nothing', '/users.json'])(
  'HEAD %s has the status and headers of GET, its length too, and no body',
  async path => {
    for (const encoding of ['identity', 'gzip']) {
      const rest = [HOST, `Accept-Encoding: ${encoding}`]
      const get = await ask([`GET ${path} HTTP/1.1`, ...rest])
      const wire = await open()
      wire.send([`HEAD ${path} HTTP/1.1`, ...rest])
      const head = await wire.readResponse({ head: true })
      // the next bytes on the connection are the next response: HEAD sent no body
      wire.send([`GET /health.json HTTP/1.1`, HOST])
      expect((await wire.readResponse()).status).toBe(200)
      const plain = (headers: ReadonlyMap<string, string>) =>
        Object.fromEntries([...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)))
      expect(head.status).toBe(get.status)
      expect(plain(head.headers)).toEqual(plain(get.headers))
      expect(Number(head.headers.get('content-length'))).toBe(get.body.length)
    }
  },
)

test.each(['GET', 'HEAD'])('304 and 204 have no body, and the connection stays open: %s', async method => {
  const wire = await open()
  for (let round = 0; round < 3; round++) {
    wire.send([`${method} /jobs.json HTTP/1.1`, HOST, 'If-None-Match: *'])
    expect((await wire.readResponse({ head: true })).status).toBe(304)
    wire.send(['OPTIONS /jobs.json HTTP/1.1', HOST])
    expect((await wire.readResponse({ head: true })).status).toBe(204)
  }
  expect(wire.rest).toBe('')
})

describe('a Host', () => {
  test.each([
    'localhost',
    'evil.example',
    'a',
    'A.EXAMPLE:8080',
    '[::1]:80',
    '[',
    'x_y.example',
    'a..b',
    '%41',
    ':80',
    'a:99999',
    'x'.repeat(300),
  ])('that is %j changes nothing', async host => {
    const response = await ask(['GET /jobs/1.json HTTP/1.1', `Host: ${host}`])
    expect(response.status).toBe(200)
    expect(parse(response.body)).toMatchObject({ url: 'https://board.example.com/jobs/1.json' })
  })

  test.each([
    '',
    'a b',
    'é.example',
    '<script>',
    'user:pass@evil.example',
    'evil.example/jobs/1.json?',
    'evil.example?x',
    'evil.example#',
  ])('%j is refused', async host => {
    const response = await ask(['GET /health.json HTTP/1.1', `Host: ${host}`])
    expect([response.status, parse(response.body)]).toEqual([400, { error: 'The Host header is invalid.' }])
  })

  test('is neither in the Location of a created record, nor in the Link of a page', async () => {
    const body = json({ name: 'By wire' })
    const rest = [
      'Host: evil.example',
      admin(),
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    const response = await ask(['POST /categories.json HTTP/1.1', ...rest], body)
    expect(response.headers.get('location')).toMatch(/^https:\/\/board\.example\.com\/categories\/\d+\.json$/)
    const page = await ask(['GET /jobs.json?page=1 HTTP/1.1', 'Host: evil.example'])
    expect(page.headers.get('link')).not.toContain('evil')
  })
})

describe('a body', () => {
  const post = (headers: readonly string[], path = '/categories.json') => [
    `POST ${path} HTTP/1.1`,
    HOST,
    admin(),
    ...headers,
  ]
  const JSON_TYPE = 'Content-Type: application/json'
  const chunk = (bytes: Uint8Array | string) =>
    Buffer.concat([
      Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    ])

  test('that is chunked is read completely', async () => {
    const wire = await open()
    wire.send(post([JSON_TYPE, 'Transfer-Encoding: chunked']))
    for (const byte of json({ name: 'Chünks 🦀' })) wire.write(chunk(Buffer.from([byte])))
    wire.write('0\r\n\r\n')
    const response = await wire.readResponse()
    expect([response.status, parse(response.body)['name']]).toEqual([201, 'Chünks 🦀'])
  })

  test.each([
    ['JSON', JSON_TYPE, 1],
    ['a form', 'Content-Type: application/x-www-form-urlencoded', 1],
    ['multipart', 'Content-Type: multipart/form-data; boundary=B', 1],
  ])('that is %s and announces too many bytes is refused before it is sent', async (_, type, limit) => {
    const wire = await open()
    wire.send(post([type, `Content-Length: ${limit * MiB + 1}`]), 'x')
    const response = await wire.readResponse()
    expect([response.status, Object.keys(parse(response.body))]).toEqual([413, ['error']])
    expect(response.headers.get('content-type')).toBe('application/json')
  })

  test.each([
    ['JSON', JSON_TYPE, 1],
    ['multipart', 'Content-Type: multipart/form-data; boundary=B', 1],
  ])(
    'that is %s and does not say how long it is is refused as soon as it is too long',
    async (_, type, limit) => {
      const wire = await open()
      wire.send(post([type, 'Transfer-Encoding: chunked']))
      for (let sent = 0; sent <= limit; sent++) wire.write(chunk(Buffer.alloc(MiB, 'x')))
      const response = await wire.readResponse()
      expect([response.status, Object.keys(parse(response.body))]).toEqual([413, ['error']])
    },
  )

  test('that was refused does not disturb the next request on the connection', async () => {
    const body = Buffer.alloc(3 * MiB, 'x')
    for (const [path, headers, status] of [
      ['/categories.json', [HOST, admin(), JSON_TYPE], 413],
      ['/categories.json', [HOST, admin(), 'Content-Type: text/plain'], 415],
      ['/categories.json', [HOST, JSON_TYPE], 401],
      ['/categories.json', [HOST, JSON_TYPE, 'Authorization: Bearer x'], 401],
      ['/nothing.json', [HOST, admin(), JSON_TYPE], 404],
      ['/categories/1.json', [HOST, admin(), JSON_TYPE], 405],
    ] as const) {
      const wire = await open()
      wire.send([`POST ${path} HTTP/1.1`, ...headers, `Content-Length: ${body.length}`], body)
      expect([path, (await wire.readResponse()).status]).toEqual([path, status])
      wire.send(['GET /health.json HTTP/1.1', HOST])
      expect((await wire.readResponse()).status).toBe(200)
      wire.close()
    }
  })

  test('whose sender disconnects changes nothing', async () => {
    const before = dump(board)
    const logged = board.logged.length
    for (const headers of [
      [JSON_TYPE, 'Content-Length: 1000'],
      [JSON_TYPE, 'Transfer-Encoding: chunked'],
      ['Content-Type: multipart/form-data; boundary=B', 'Content-Length: 100000'],
    ]) {
      const wire = await open()
      wire.send(
        post(headers),
        headers.includes('Transfer-Encoding: chunked') ? '5\r\n{"nam\r\n' : '{"name": "x"',
      )
      await Bun.sleep(20)
      wire.close()
    }
    await Bun.sleep(50)
    await board.board.log.flush()
    expect(dump(board)).toEqual(before)
    expect(board.logged.slice(logged).filter(line => line.includes('"level":"error"'))).toEqual([])
  })

  test('of GET and DELETE is ignored', async () => {
    const rest = [HOST, admin(), JSON_TYPE, 'Content-Length: 3']
    expect((await ask(['GET /jobs.json HTTP/1.1', ...rest], '{{{')).status).toBe(200)
    expect((await ask(['DELETE /jobs/999.json HTTP/1.1', ...rest], '{{{')).status).toBe(404)
  })

  test('is requested after Expect: 100-continue', async () => {
    const wire = await open()
    const body = json({ name: 'Expected' })
    wire.send(post([JSON_TYPE, `Content-Length: ${body.length}`, 'Expect: 100-continue']))
    const first = await wire.readResponse({ head: true })
    if (first.status === 100) {
      wire.write(body)
      expect((await wire.readResponse()).status).toBe(201)
    } else expect(first.status).toBeOneOf([201, 417])
  })
})

/** Requests that proxies and servers may parse differently; none may become two requests. */
const SMUGGLED = [
  [
    'a length and chunks',
    ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    '0\r\n\r\nGET /x HTTP/1.1\r\n\r\n',
  ],
  ['two lengths', ['Content-Length: 2', 'Content-Length: 30'], '{}'],
  ['a length below nothing', ['Content-Length: -1'], '{}'],
  ['a length that is no number', ['Content-Length: x'], '{}'],
  ['chunks of no size', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
  ['a folded header', ['X: a', ' b'], ''],
  ['a header without a name', [': x'], ''],
  ['NUL in a header', ['X: a\0b'], ''],
] as const

test.each(SMUGGLED)('a request with %s is refused without other effects', async (_, headers, body) => {
  const before = dump(board)
  const wire = await open()
  wire.send(
    ['POST /categories.json HTTP/1.1', HOST, admin(), 'Content-Type: application/json', ...headers],
    body,
  )
  const response = await wire.readResponse().catch(() => undefined)
  if (response) expect(response.status).toBeOneOf([400, 422])
  expect(dump(board)).toEqual(before)
})

test.each([
  ['PATCH', 405],
  ['TRACE', 405],
  ['PURGE', 405],
  ['CONNECT', 405],
])('%s gets %i, or the connection is closed', async (method, status) => {
  const wire = await open()
  wire.send([`${method} /jobs.json HTTP/1.1`, HOST])
  const response = await wire.readResponse().catch(() => undefined)
  if (response) expect(response.status).toBeOneOf([status, 400])
})

test('one connection serves many requests, whatever their outcome', async () => {
  const wire = await open()
  for (const [path, status] of [
    ['/health.json', 200],
    ['/nothing', 404],
    ['/jobs.json?q=cares', 200],
    ['/jobs.json?page=x', 422],
    ['/users.json', 401],
    ['/jobs/1.json', 200],
  ] as const) {
    wire.send([`GET ${path} HTTP/1.1`, HOST])
    expect([path, (await wire.readResponse()).status]).toEqual([path, status])
  }
})

test('a path is used exactly as sent', async () => {
  for (const [target, status] of [
    ['/jobs.json?q=%C3%A9', 200],
    ['/jobs.json?q=\xc3\xa9', 200],
    ['/jobs.json#x', 404],
    ['/jobs.json?q=cares#x', 200],
    ['/jobs.json?', 200],
    ['/./jobs.json', 200],
    ['/x/../jobs.json', 200],
    ['/%6aobs.json', 404],
    [`/jobs.json?q=${'x'.repeat(12_000)}`, 422],
    [`/${'x'.repeat(12_000)}`, 404],
    ['http://evil.example/jobs.json', 200],
    ['*', 400],
  ] as const) {
    const response = await ask([`GET ${target} HTTP/1.1`, HOST]).catch(() => undefined)
    if (response) expect([target, response.status]).toEqual([target, status])
  }
})

test('HTTP/1.0 is supported', async () => {
  const response = await ask(['GET /health.json HTTP/1.0', HOST])
  expect(response.status).toBe(200)
})

test('failures are counted by the peer’s address', async () => {
  const unproxied = await openFixtureBoard('--trust-proxy', 'none')
  const unproxiedWire = listen(unproxied.test)
  const statuses = []
  for (let at = 0; at < 11; at++) {
    const response = await fetch(`http://127.0.0.1:${unproxiedWire.port}/jobs.json`, {
      headers: { authorization: `Basic ${btoa(`x:${at}`)}`, 'x-forwarded-for': `203.0.113.${at}` },
    })
    statuses.push(response.status)
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  await unproxiedWire.drain()
  await unproxied.test.close()
})

test('a real client posts, reads, updates and deletes a job', async () => {
  const at = (path: string) => `http://127.0.0.1:${listener.port}${path}`
  const headers = { authorization: fixture.owner.authorization }
  const { id } = await jsonObject(
    fetch(at('/jobs.json'), { method: 'POST', headers, body: formOf(REQUIRED_FIELDS) }),
  )
  const path = at(`/jobs/${Number(id)}.json`)
  const body = new URLSearchParams({ 'job[title]': 'Schmied' })
  expect(await jsonObject(fetch(path, { method: 'PUT', headers, body }))).toMatchObject({ title: 'Schmied' })
  expect(await jsonObject(fetch(path))).toMatchObject({ id, title: 'Schmied' })
  expect((await fetch(path, { method: 'DELETE', headers })).status).toBe(200)
  expect((await fetch(path)).status).toBe(404)
})

test('a server without a board sends 503 with the usual headers', async () => {
  const early = new Listener({ host: '127.0.0.1', port: 0 })
  const response = await fetch(`http://127.0.0.1:${early.port}/health.json`)
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  for (const name of ['x-request-id', 'content-security-policy', 'x-content-type-options', 'vary'])
    expect(response.headers.has(name)).toBeTrue()
  expect(Object.keys(await jsonObject(response))).toEqual(['error'])
  await early.drain()
})

test('a stopping server finishes running requests and accepts no others', async () => {
  const stopping = listen(board)
  const wire = await RawConnection.open(stopping.port)
  const idle = await RawConnection.open(stopping.port)
  wires.push(wire, idle)
  const body = json({ name: 'Under way' })
  wire.send(
    [
      'POST /categories.json HTTP/1.1',
      HOST,
      admin(),
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ],
    body.subarray(0, 5),
  )
  await Bun.sleep(30)
  const drained = stopping.drain()
  await Bun.sleep(30)
  wire.write(body.subarray(5))
  expect((await wire.readResponse()).status).toBe(201)
  await drained
  expect(await fetch(`http://127.0.0.1:${stopping.port}/health.json`).catch(() => 'refused')).toBe('refused')
})
