import { describe, expect, test } from 'bun:test'
import { bodyLimits } from '../../src/http/request/body.ts'
import { BodyBudget } from '../../src/http/request/bodyBudget.ts'
import { readFields as readFrom } from '../../src/http/request/fields.ts'
import {
  type Body,
  JSON_TYPE,
  KiB,
  MiB,
  MULTIPART,
  type Outcome,
  outcomeOf,
  requestOf,
  URLENCODED,
  utf8,
} from '../helpers/requestBodies.ts'

describe('a streamed body', () => {
  /** Returns a body without end, with a count of the bytes that were read from it. */
  function endless() {
    const read = { bytes: 0, cancelled: false }
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          read.bytes += 64 * KiB
          controller.enqueue(new Uint8Array(64 * KiB).fill(0x20))
        },
        cancel() {
          read.cancelled = true
        },
      },
      { highWaterMark: 0 },
    )
    return { body, read }
  }

  test.each([
    [JSON_TYPE, MiB],
    [URLENCODED, MiB],
    [MULTIPART, 8 * MiB],
  ])('is read as %s to its limit and no further', async (type, limit) => {
    const { body, read } = endless()
    expect(await outcomeOf(requestOf(type, body))).toBe('contentTooLarge')
    expect(read.cancelled).toBe(true)
    expect(read.bytes).toBeLessThanOrEqual(limit + 128 * KiB)
  })

  test('is not read at all if its Content-Length is too large', async () => {
    const { body, read } = endless()
    expect(await outcomeOf(requestOf(JSON_TYPE, body, { 'content-length': String(MiB + 1) }))).toBe(
      'contentTooLarge',
    )
    expect(read.bytes).toBe(0)
  })

  test('is not read further if its type is unknown', async () => {
    const { body, read } = endless()
    expect(await outcomeOf(requestOf('text/plain', body))).toBe('unsupportedMediaType')
    expect(read.bytes).toBeLessThanOrEqual(128 * KiB)
  })

  test('is put together from single bytes', async () => {
    const bytes = utf8('{"a":"ü😀"}')
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    expect(await outcomeOf(requestOf(JSON_TYPE, body))).toEqual({ a: 'ü😀' })
  })
})

describe('the memory for bodies', () => {
  /** Reads a body with a budget, and returns the sizes that were reserved for it. */
  async function reservedFor(body: Body, headers: Record<string, string> = {}) {
    const budget = new BodyBudget()
    const sizes: number[] = []
    const reserve = budget.reserve.bind(budget)
    budget.reserve = (address, size, signal) => {
      sizes.push(size)
      return reserve(address, size, signal)
    }
    const releases: (() => void)[] = []
    const onEnd = (release: () => void) => void releases.push(release)
    const source = { request: requestOf(JSON_TYPE, body, headers), clientAddress: '192.0.2.1' }
    const limits = bodyLimits({ access: 'user' })
    await readFrom({ ...source, services: { bodyBudget: budget }, onEnd }, limits).catch(() => {})
    for (const release of releases) release()
    expect(budget.reserved).toBe(0)
    return sizes
  }

  const long = `{"a":"${'x'.repeat(100 * KiB)}"}`

  test.each([
    ['its Content-Length', '{}', { 'content-length': '2' }, [2]],
    ['little without a Content-Length', '{}', {}, [64 * KiB]],
    ['the limit once it is long', long, {}, [64 * KiB, MiB - 64 * KiB]],
    ['nothing if it is refused', '{}', { 'content-length': String(2 * MiB) }, []],
  ])('a body reserves %s', async (_, body, headers, sizes) => {
    expect(await reservedFor(body, headers)).toEqual(sizes)
  })
})

describe('over a connection', () => {
  /** Starts a server that responds with the outcome of each request, and returns the first one too. */
  function listen() {
    const first = Promise.withResolvers<Outcome>()
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      async fetch(request) {
        const outcome = await outcomeOf(request)
        first.resolve(outcome)
        return Response.json(outcome)
      },
    })
    return {
      server,
      first: first.promise,
      url: server.url.href,
      [Symbol.asyncDispose]: () => server.stop(true),
    }
  }

  test.each([
    ['with a Content-Length', () => new Uint8Array(20 * MiB)],
    ['in chunks', () => new Blob([new Uint8Array(20 * MiB)]).stream()],
  ])('an upload %s that is too large is refused, and the next request is read', async (_, body) => {
    await using listener = listen()
    const headers = { 'content-type': MULTIPART }
    const response = await fetch(listener.url, { method: 'POST', headers, body: body() })
    expect(await response.json()).toBe('contentTooLarge')
    const next = await fetch(listener.url, {
      method: 'POST',
      headers: { 'content-type': URLENCODED },
      body: 'a=1',
    })
    expect(await next.json()).toEqual({ a: '1' })
  })

  test('a body that is cut off by a closed connection is malformed', async () => {
    await using listener = listen()
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port: listener.server.port ?? 0,
      socket: { data() {} },
    })
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: 9\r\n\r\n{"a"`)
    socket.end()
    expect(await listener.first).toBe('malformed')
  })
})
