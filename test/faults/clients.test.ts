import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { isLong, PATIENCE, report, rounds } from './duration.ts'
import { AUTHORIZATION } from './load.ts'
import { PreparedServer } from './preparedServer.ts'

const MEBIBYTE = 2 ** 20
/** The most memory in bytes that a server may use for any number of clients: half of the body budget, and overhead. */
const GROWTH_AT_MOST = 160 * MEBIBYTE
/** The most bytes of an endless body before it is cut off: 8 MiB, and the buffers of two sockets. */
const SENT_AT_MOST = 32 * MEBIBYTE

let server: PreparedServer

beforeAll(async () => {
  server = await PreparedServer.start()
})
afterAll(() => server.stop())

/** Sends bytes on a new connection, and returns the response until it is closed or `ms` have passed. */
async function exchange(pieces: Iterable<string | Uint8Array>, ms = 10_000) {
  const socket = connect(server.port, '127.0.0.1')
  let response = ''
  let sent = 0
  socket.on('data', bytes => (response += bytes.toString('latin1')))
  socket.on('error', () => {})
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  const timer = setTimeout(() => socket.destroy(), ms)
  for (const piece of pieces) {
    if (socket.destroyed || response !== '') break
    sent += piece.length
    if (!socket.write(piece))
      await Promise.race([closed, new Promise(resolve => socket.once('drain', resolve))])
    await Bun.sleep(0)
  }
  await Promise.race([closed, until(() => response.includes('\r\n\r\n'), ms)])
  clearTimeout(timer)
  socket.destroy()
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]), sent }
}

async function until(is: () => boolean, ms: number) {
  const end = performance.now() + ms
  while (!is() && performance.now() < end) await Bun.sleep(5)
}

const post = (type: string, length: number | 'chunked') =>
  [
    'POST /jobs.json HTTP/1.1',
    'host: board',
    `authorization: ${AUTHORIZATION}`,
    `content-type: ${type}`,
    length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`,
    'connection: close',
    '\r\n',
  ].join('\r\n')

const isEndless = (name: string) => / never ends?$/.test(name)

const whole = (type: string, body: string) => [post(type, Buffer.byteLength(body)), body]

const isServed = async () =>
  (await fetch(`${server.url}/jobs.json`, { signal: AbortSignal.timeout(3000) })).ok

function* endless(head: string, piece: Uint8Array) {
  yield post('multipart/form-data; boundary=b', 'chunked')
  yield chunk(Buffer.from(head))
  for (let sent = 0; sent < 64 * MEBIBYTE; sent += piece.length) yield chunk(piece)
}

const chunk = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

/** What is sent, and the status of the response. */
const REQUESTS: [string, () => Iterable<string | Uint8Array>, number][] = [
  [
    'a header of 17 KB',
    () => [`GET /jobs.json HTTP/1.1\r\nhost: board\r\nx-long: ${'x'.repeat(17_000)}\r\n\r\n`],
    431,
  ],
  ['1,000 headers', () => [`GET /jobs.json HTTP/1.1\r\nhost: board\r\n${'x: y\r\n'.repeat(1000)}\r\n`], 431],
  [
    '10,000 form fields',
    () =>
      whole(
        'application/x-www-form-urlencoded',
        Array.from({ length: 10_000 }, (_, n) => `f${n}=v`).join('&'),
      ),
    413,
  ],
  [
    '10,000 parts',
    () =>
      whole(
        'multipart/form-data; boundary=b',
        `${'--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nv\r\n'.repeat(10_000)}--b--\r\n`,
      ),
    413,
  ],
  ['JSON 100,000 deep', () => whole('application/json', '['.repeat(100_000) + ']'.repeat(100_000)), 400],
  [
    'JSON objects 100,000 deep',
    () => whole('application/json', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)),
    400,
  ],
  ['JSON that is cut off', () => whole('application/json', '{"title":"'), 400],
  [
    'a multipart body whose last part is cut off',
    () =>
      whole(
        'multipart/form-data; boundary=b',
        '--b\r\ncontent-disposition: form-data; name="title"\r\n\r\nWords',
      ),
    400,
  ],
  [
    'a multipart body that never ends',
    () =>
      endless(
        '--b\r\ncontent-disposition: form-data; name="logo"; filename="a.png"\r\n\r\n',
        Buffer.alloc(65_536, 'x'),
      ),
    413,
  ],
  [
    'a multipart head that never ends',
    () => endless('--b\r\ncontent-disposition: form-data; name="', Buffer.alloc(65_536, 'x')),
    413,
  ],
  [
    'multipart parts that never end',
    () =>
      endless(
        '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nv\r\n',
        Buffer.from('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nv\r\n'.repeat(1000)),
      ),
    413,
  ],
]

describe('a client that sends', () => {
  test.each(REQUESTS)(
    '%s gets the documented status, memory stays bounded, and others are served',
    async (name, request, status) => {
      const before = server.memory
      const responses = await Promise.all(Array.from({ length: rounds(4, 60) }, () => exchange(request())))
      // a client that still sends when the connection is cut may not get the response
      const wrong = responses.filter(
        response => response.status !== status && !(isEndless(name) && response.sent > MEBIBYTE),
      )
      expect(wrong).toEqual([])
      expect(Math.max(...responses.map(({ sent }) => sent))).toBeLessThan(SENT_AT_MOST)
      expect(server.memory - before).toBeLessThan(GROWTH_AT_MOST)
      expect(await isServed()).toBeTrue()
      report(`${name}: ${responses.length} times, ${status} each`)
    },
    PATIENCE,
  )
})

describe('half-open connections', () => {
  const open = (text: string) =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(text)
        resolve(socket)
      })
      socket.on('error', reject)
    })

  const HALVES = {
    'with nothing sent': '',
    'in the middle of the headers': 'GET /jobs.json HTTP/1.1\r\nhost: board\r\nx-slow: ',
    'in the middle of a body': `${post('application/json', 1000)}{"title": "`,
  }

  test.each(Object.entries(HALVES))(
    '%s do not keep others from being served',
    async (_, text) => {
      const before = server.memory
      const sockets = await Promise.all(Array.from({ length: rounds(200, 400) }, () => open(text)))
      for (const socket of sockets) socket.on('error', () => {})
      expect(await isServed()).toBeTrue()
      expect(server.memory - before).toBeLessThan(GROWTH_AT_MOST)
      for (const socket of sockets) socket.destroy()
      expect(await isServed()).toBeTrue()
    },
    PATIENCE,
  )

  test.if(isLong).each(Object.entries(HALVES))(
    '%s are closed within a minute, even if they send slowly',
    async (_, text) => {
      const sockets = await Promise.all(Array.from({ length: 20 }, () => open(text)))
      let closed = 0
      for (const socket of sockets)
        socket
          .on('error', () => {})
          .on('close', () => closed++)
          .resume()
      const start = performance.now()
      await until(() => closed === sockets.length, 60_000)
      expect(closed).toBe(sockets.length)
      report(`half open ${_}: cut off after ${Math.round((performance.now() - start) / 1000)} s`)
    },
    PATIENCE,
  )
})
