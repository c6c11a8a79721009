import { describe, expect, test } from 'bun:test'
import type { ProblemKind } from '../../src/base/problem.ts'
import { bodyLimits } from '../../src/http/request/body.ts'
import { BodyBudget } from '../../src/http/request/bodyBudget.ts'
import { readFields as readFrom, Upload } from '../../src/http/request/fields.ts'

const LOGO = { name: 'logo', types: ['image/png'], description: '' }
const JSON_TYPE = 'application/json'
const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=B'
const KiB = 1024
const MiB = 1024 * KiB

/** Reads the fields of a request to a route that takes a file. */
const readFields = (sent: Request) => {
  const source = { clientAddress: '192.0.2.1', services: { bodyBudget: new BodyBudget() }, onEnd: () => {} }
  return readFrom({ ...source, request: sent }, bodyLimits({ access: 'user', file: LOGO }))
}

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** A request with just the headers that are named; a text is sent one byte a character. */
function request(type: string | null, body: Body, headers: Record<string, string> = {}): Request {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  const made = new Request('http://board.test/', { method: 'POST', body: bytes, headers })
  made.headers.delete('content-type')
  if (type !== null) made.headers.set('content-type', type)
  return made
}

const utf8 = (text: string) => new Uint8Array(Buffer.from(text))

const part = (parameters: string, content: string) =>
  `--B\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n${content}\r\n`

const multipart = (...parts: string[]) => `${parts.join('')}--B--\r\n`

type Outcome = Record<string, unknown> | ProblemKind
type Row = readonly [
  name: string,
  type: string | null,
  body: Body,
  outcome: Outcome,
  headers?: Record<string, string>,
]

async function outcome(made: Request): Promise<Outcome> {
  try {
    return Object.fromEntries((await readFields(made)).values)
  } catch (fault) {
    if (fault instanceof Error && 'kind' in fault) return fault.kind as ProblemKind
    throw fault
  }
}

function table(rows: readonly Row[]) {
  test.each(rows.map(row => [row[0], row] as const))('%s', async (_, [, type, body, expected, headers]) => {
    expect(await outcome(request(type, body, headers))).toEqual(expected)
  })
}

describe('the content type', () => {
  table([
    [
      'is matched in any case, with parameters',
      'Application/JSON ; Charset="UTF-8"; x=y',
      '{"a":1}',
      { a: 1 },
    ],
    ['may end in a semicolon', 'application/json;', '{"a":1}', { a: 1 }],
    ['may call UTF-8 utf8', 'application/json;charset=utf8', '{}', {}],
    ['must not name another charset', 'application/json; charset=iso-8859-1', '{}', 'unsupportedMediaType'],
    ['must not name an empty charset', 'application/json; charset=', '{}', 'unsupportedMediaType'],
    [
      'must not name another charset for a form',
      `${URLENCODED}; charset=utf-16`,
      'a=1',
      'unsupportedMediaType',
    ],
    ['must be given with a body', null, '1', 'unsupportedMediaType'],
    ['must be one that is read', 'text/plain', '{}', 'unsupportedMediaType'],
    ['must not only look like JSON', 'application/problem+json', '{}', 'unsupportedMediaType'],
    ['must not be given twice', 'application/json, text/plain', '{}', 'unsupportedMediaType'],
    ['must not be another multipart', 'multipart/mixed; boundary=B', multipart(), 'unsupportedMediaType'],
    ['allows no compression', JSON_TYPE, '{}', 'unsupportedMediaType', { 'content-encoding': 'gzip' }],
    ['allows the coding that is none', JSON_TYPE, '{"a":1}', { a: 1 }, { 'content-encoding': 'Identity' }],
  ])
})

describe('an empty body says nothing', () => {
  table([
    ['without a type', null, '', {}],
    ['as JSON', JSON_TYPE, '', {}],
    ['as a form', URLENCODED, '', {}],
    ['as a multipart form', MULTIPART, '', {}],
    ['as a multipart form without boundary', 'multipart/form-data', '', {}],
    ['as another type', 'text/plain', '', {}],
    ['compressed', JSON_TYPE, '', {}, { 'content-encoding': 'gzip' }],
    ['in chunks', null, new ReadableStream({ start: controller => controller.close() }), {}],
  ])

  test('nor does a request without one', async () => {
    expect((await readFields(new Request('http://board.test/', { method: 'POST' }))).values.size).toBe(0)
  })
})

const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`

describe('JSON', () => {
  table([
    [
      'keeps its types',
      JSON_TYPE,
      '{"a":1,"b":true,"c":null,"d":"","e":[{}]}',
      { a: 1, b: true, c: null, d: '', e: [{}] },
    ],
    ['takes the last of a repeated name', JSON_TYPE, '{"a":1,"a":2}', { a: 2 }],
    ['has flat names', JSON_TYPE, '{"job[a]":1,"a":2}', { 'job[a]': 1, a: 2 }],
    ['may begin with a byte order mark', JSON_TYPE, '\xef\xbb\xbf{"a":1}', { a: 1 }],
    ['is UTF-8', JSON_TYPE, utf8('{"a":"ü😀"}'), { a: 'ü😀' }],
    ['is nothing but UTF-8', JSON_TYPE, '{"a":"\xff"}', 'malformed'],
    ['holds no surrogates as bytes', JSON_TYPE, '{"a":"\xed\xa0\x80"}', 'malformed'],
    ['leaves lone surrogates and NUL to the schema', JSON_TYPE, '{"a":"\\ud800\\u0000"}', { a: '\ud800\0' }],
    ['is no list', JSON_TYPE, '[]', 'malformed'],
    ['is no text', JSON_TYPE, '"a"', 'malformed'],
    ['is not null', JSON_TYPE, 'null', 'malformed'],
    ['is not white space', JSON_TYPE, ' ', 'malformed'],
    ['is not cut off', JSON_TYPE, '{"a":1', 'malformed'],
    ['has nothing after it', JSON_TYPE, '{"a":1}{}', 'malformed'],
    ['may be 32 levels deep', JSON_TYPE, `{"a":${nested(31)}}`, { a: JSON.parse(nested(31)) }],
    ['may not be 33 levels deep', JSON_TYPE, `{"a":${nested(32)}}`, 'malformed'],
    [
      'may not be 33 levels of objects deep',
      JSON_TYPE,
      `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
      'malformed',
    ],
    [
      'may have any number of lists side by side',
      JSON_TYPE,
      `{"a":[${'[],'.repeat(99)}{}]}`,
      { a: [...Array.from({ length: 99 }, () => []), {}] },
    ],
    [
      'may hold any number of brackets in a text',
      JSON_TYPE,
      `{"a":"\\"${'['.repeat(99)}"}`,
      { a: `"${'['.repeat(99)}` },
    ],
    ['of half a million levels is refused like any', JSON_TYPE, nested(500_000), 'malformed'],
    ['may be 1 MiB', JSON_TYPE, `{}${' '.repeat(MiB - 2)}`, {}],
    ['may not be a byte over 1 MiB', JSON_TYPE, `{}${' '.repeat(MiB - 1)}`, 'contentTooLarge'],
  ])

  test('is not a form', async () => {
    expect((await readFields(request(JSON_TYPE, '{}'))).isForm).toBe(false)
  })

  test.each([
    ['{"a": 1,\n "b": secret}', 'line 2, column 7'],
    ['{"a": "secret', 'line 1, column 7'],
    ['{"a": "\\s"}', 'line 1, column 7'],
    ['{"a" 1}', 'line 1, column 6'],
    ['{a: 1}', 'line 1, column 2'],
    ['{1: 1}', 'line 1, column 2'],
    ['{"a": 1,}', 'line 1, column 9'],
    ['{"a": [{}, []], "b"}', 'line 1, column 20'],
    ['{"a": [1,]}', 'line 1, column 10'],
    ['{"a": 01}', 'line 1, column 7'],
    ['{"a": [1}', 'line 1, column 9'],
    ['{"a": 1} secret', 'line 1, column 10'],
    ['{"a": 1', 'ends too early'],
  ])('tells of %j where it breaks, and not a word of it', async (body, place) => {
    const fault = await readFields(request(JSON_TYPE, body)).catch(String)
    expect(fault).toContain(place)
    expect(fault).not.toContain('secret')
  })
})

const fieldsOf = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=`)

describe('an urlencoded form', () => {
  table([
    ['is text', URLENCODED, 'a=12&b=on&c=', { a: '12', b: 'on', c: '' }],
    ['needs no value', URLENCODED, 'a&=b&&', { a: '', '': 'b' }],
    ['may have equals signs in a value', URLENCODED, 'a=b=c', { a: 'b=c' }],
    ['has spaces and bytes escaped', URLENCODED, 'a+b=%31+2+3%2B%C3%BC', { 'a b': '1 2 3+ü' }],
    ['may be plain UTF-8', URLENCODED, utf8('ü=😀'), { ü: '😀' }],
    [
      'keeps a percent sign that escapes nothing',
      URLENCODED,
      'a=100%&b=%zz%2&%=1',
      { a: '100%', b: '%zz%2', '%': '1' },
    ],
    ['is nothing but UTF-8', URLENCODED, 'a=\xff', 'malformed'],
    ['has no value that is not UTF-8', URLENCODED, 'a=%ff', 'malformed'],
    ['has no name that is not UTF-8', URLENCODED, '%c3=a', 'malformed'],
    ['may begin with a byte order mark', URLENCODED, '\xef\xbb\xbfa=1', { a: '1' }],
    ['keeps a byte order mark in a value', URLENCODED, 'a=%ef%bb%bf1', { a: '\ufeff1' }],
    ['may wrap its names', URLENCODED, 'job[title]=x&job%5Bterm_id%5D=1', { title: 'x', term_id: '1' }],
    ['takes the last value, wrapped or not', URLENCODED, 'job[a]=1&a=2&b=1&job[b]=2', { a: '2', b: '2' }],
    [
      'knows no other brackets',
      URLENCODED,
      'job[a][b]=1&job[]=2&plan[a]=3&xjob[a]=4&a[]=5&job[a]x=6',
      { 'job[a][b]': '1', 'job[]': '2', 'plan[a]': '3', 'xjob[a]': '4', 'a[]': '5', 'job[a]x': '6' },
    ],
    ['may be 1 MiB', URLENCODED, `a=${'x'.repeat(MiB - 2)}`, { a: 'x'.repeat(MiB - 2) }],
    ['may not be a byte over 1 MiB', URLENCODED, `a=${'x'.repeat(MiB - 1)}`, 'contentTooLarge'],
    ['may not have 1,001 fields', URLENCODED, fieldsOf(1001).join('&'), 'contentTooLarge'],
    ['may not repeat a field 1,001 times', URLENCODED, 'a=1&'.repeat(1001), 'contentTooLarge'],
  ])

  test('may have 1,000 fields', async () => {
    const { values, isForm: form } = await readFields(request(URLENCODED, fieldsOf(1000).join('&')))
    expect([values.size, form]).toEqual([1000, true])
  })
})

const file = (content: string, filename: string) =>
  new Upload(new Uint8Array(Buffer.from(content, 'latin1')), filename)

describe('a multipart form', () => {
  table([
    ['has texts', MULTIPART, multipart(part('name="a"', '12'), part('name=b', '')), { a: '12', b: '' }],
    [
      'takes a text as it is',
      MULTIPART,
      multipart(part('name="a"', ' {"b":1}\r\n\r\n--C\r\n')),
      { a: ' {"b":1}\r\n\r\n--C\r\n' },
    ],
    ['has UTF-8 for text', MULTIPART, utf8(multipart(part('name="ü"', '😀'))), { ü: '😀' }],
    [
      'has files',
      MULTIPART,
      multipart(part('name="a"; filename="x.png"', '\x89\0\xff\r\n')),
      { a: file('\x89\0\xff\r\n', 'x.png') },
    ],
    ['has no file without bytes', MULTIPART, multipart(part('name="a"; filename=""', '')), {}],
    [
      'lets no file without bytes replace one',
      MULTIPART,
      multipart(part('name="a"; filename="x"', 'y'), part('name="a"; filename=""', '')),
      { a: file('y', 'x') },
    ],
    [
      'has a file whose name is coded',
      MULTIPART,
      multipart(part(`name="a"; filename*=UTF-8''x`, 'y')),
      { a: file('y', "UTF-8''x") },
    ],
    [
      'takes the last value, wrapped or not',
      MULTIPART,
      multipart(part('name="job[a]"', '1'), part('name="a"', '2')),
      { a: '2' },
    ],
    [
      'may have escapes in names, as browsers send them',
      MULTIPART,
      multipart(part('name="a%22b%0D%0A%41\\"', '1')),
      { 'a"b\r\n%41\\': '1' },
    ],
    [
      'may have escapes in names, as curl sent them',
      MULTIPART,
      multipart(part('name="a\\"; b\\\\"', '1')),
      { 'a"; b\\': '1' },
    ],
    [
      'is not misled by a file name',
      MULTIPART,
      multipart(part('name="a"; filename="b\\"; name=\\"c"', '1')),
      { a: file('1', 'b"; name="c') },
    ],
    ['has the first of two names', MULTIPART, multipart(part('name="a"; name="b"', '1')), { a: '1' }],
    [
      'reads headers in any case and order',
      MULTIPART,
      '--B  \r\nX: y\r\nCONTENT-DISPOSITION:Form-Data;NAME="a"\r\nContent-Type: text/plain\r\n\r\n1\r\n--B--',
      { a: '1' },
    ],
    ['may have no parts', MULTIPART, multipart(), {}],
    ['may stand between empty lines', MULTIPART, `\r\n${multipart(part('name="a"', '1'))}\r\n`, { a: '1' }],
    [
      'may begin with a byte order mark',
      MULTIPART,
      `\xef\xbb\xbf${multipart(part('name="a"', '1'))}`,
      { a: '1' },
    ],
    [
      'may quote its boundary',
      'multipart/form-data; charset=utf-8; Boundary="B"',
      multipart(part('name="a"', '1')),
      { a: '1' },
    ],
    ['needs a boundary', 'multipart/form-data', multipart(part('name="a"', '1')), 'malformed'],
    [
      'needs a boundary that is not empty',
      'multipart/form-data; boundary=""',
      multipart(part('name="a"', '1')).replaceAll('--B', '--'),
      'malformed',
    ],
    [
      'needs the boundary that is named',
      'multipart/form-data; boundary=C',
      multipart(part('name="a"', '1')),
      'malformed',
    ],
    ['must begin with its boundary', MULTIPART, `x\r\n${multipart(part('name="a"', '1'))}`, 'malformed'],
    ['must not be cut off in a text', MULTIPART, part('name="a"', '1').slice(0, -2), 'malformed'],
    ['must not be cut off before its last boundary', MULTIPART, part('name="a"', '1'), 'malformed'],
    ['must not be cut off within its last boundary', MULTIPART, `${part('name="a"', '1')}--B-`, 'malformed'],
    [
      'must not go on after its last boundary',
      MULTIPART,
      multipart(part('name="a"', '1')) + part('name="b"', '2'),
      'malformed',
    ],
    [
      'must not go on within a boundary',
      MULTIPART,
      `--Bad${multipart(part('name="a"', '1')).slice(3)}`,
      'malformed',
    ],
    ['must name every part', MULTIPART, multipart(part('filename="x"', '1')), 'malformed'],
    ['must have headers for every part', MULTIPART, multipart('--B\r\n\r\n1\r\n'), 'malformed'],
    [
      'must have a blank line in every part',
      MULTIPART,
      multipart('--B\r\nContent-Disposition: form-data; name="a"\r\n'),
      'malformed',
    ],
    [
      'must have parts of a form only',
      MULTIPART,
      '--B\r\nContent-Disposition: attachment; name="a"\r\n\r\n1\r\n--B--',
      'malformed',
    ],
    [
      'must not have huge headers',
      MULTIPART,
      multipart(part(`name="a"; x="${'x'.repeat(8 * KiB)}"`, '1')),
      'malformed',
    ],
    ['must not have a text that is not UTF-8', MULTIPART, multipart(part('name="a"', '\xff')), 'malformed'],
    ['must not have a name that is not UTF-8', MULTIPART, multipart(part('name="\xff"', '1')), 'malformed'],
    [
      'must not have a file name that is not UTF-8',
      MULTIPART,
      multipart(part('name="a"; filename="\xff"', '1')),
      'malformed',
    ],
    [
      'may not have 1,001 parts',
      MULTIPART,
      multipart(part('name="a"; filename=""', '').repeat(1001)),
      'contentTooLarge',
    ],
  ])

  test('may have 1,000 parts', async () => {
    const parts = fieldsOf(1000).map(name => part(`name="${name}"`, ''))
    const { values, isForm: form } = await readFields(request(MULTIPART, multipart(...parts)))
    expect([values.size, form]).toEqual([1000, true])
  })

  test('may be 8 MiB, and not a byte more', async () => {
    const frame = multipart(part('name="a"; filename="x"', '')).length
    const sized = (size: number) =>
      request(MULTIPART, multipart(part('name="a"; filename="x"', 'x'.repeat(size - frame))))
    const { values } = await readFields(sized(8 * MiB))
    expect(values.get('a')).toHaveProperty('bytes.length', 8 * MiB - frame)
    expect(await outcome(sized(8 * MiB + 1))).toBe('contentTooLarge')
  })
})

test.each(['__proto__', 'constructor', 'toString'])('%s is a name like any other', async name => {
  const body = {
    [JSON_TYPE]: `{"${name}":"x"}`,
    [URLENCODED]: `${name}=x`,
    [MULTIPART]: multipart(part(`name=${name}`, 'x')),
  }
  for (const [type, text] of Object.entries(body)) {
    const { values } = await readFields(request(type, text))
    expect([...values]).toEqual([[name, 'x']])
  }
  expect({}).not.toHaveProperty('x')
})

describe('a body that comes in pieces', () => {
  /** A body without end, that tells how much of it was asked for. */
  function endless() {
    const told = { bytes: 0, cancelled: false }
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          told.bytes += 64 * KiB
          controller.enqueue(new Uint8Array(64 * KiB).fill(0x20))
        },
        cancel() {
          told.cancelled = true
        },
      },
      { highWaterMark: 0 },
    )
    return { body, told }
  }

  test.each([
    [JSON_TYPE, MiB],
    [URLENCODED, MiB],
    [MULTIPART, 8 * MiB],
  ])('is read as %s to its limit and no further', async (type, limit) => {
    const { body, told } = endless()
    expect(await outcome(request(type, body))).toBe('contentTooLarge')
    expect(told.cancelled).toBe(true)
    expect(told.bytes).toBeLessThanOrEqual(limit + 128 * KiB)
  })

  test('is not read at all if it says that it is too long', async () => {
    const { body, told } = endless()
    expect(await outcome(request(JSON_TYPE, body, { 'content-length': String(MiB + 1) }))).toBe(
      'contentTooLarge',
    )
    expect(told.bytes).toBe(0)
  })

  test('is not read on if its type is unknown', async () => {
    const { body, told } = endless()
    expect(await outcome(request('text/plain', body))).toBe('unsupportedMediaType')
    expect(told.bytes).toBeLessThanOrEqual(128 * KiB)
  })

  test('is whole again when it was read', async () => {
    const bytes = utf8('{"a":"ü😀"}')
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    expect(await outcome(request(JSON_TYPE, body))).toEqual({ a: 'ü😀' })
  })
})

describe('the memory that bodies share', () => {
  /** Reads a body with a budget, and tells what was reserved for it. */
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
    const source = { request: request(JSON_TYPE, body, headers), clientAddress: '192.0.2.1' }
    const limits = bodyLimits({ access: 'user' })
    await readFrom({ ...source, services: { bodyBudget: budget }, onEnd }, limits).catch(() => {})
    for (const release of releases) release()
    expect(budget.reserved).toBe(0)
    return sizes
  }

  const long = `{"a":"${'x'.repeat(100 * KiB)}"}`

  test.each([
    ['the length that it states', '{}', { 'content-length': '2' }, [2]],
    ['little, where it states none', '{}', {}, [64 * KiB]],
    ['all that it may be, once it is long', long, {}, [64 * KiB, MiB - 64 * KiB]],
    ['nothing, where it is refused', '{}', { 'content-length': String(2 * MiB) }, []],
  ])('a body reserves %s', async (_, body, headers, sizes) => {
    expect(await reservedFor(body, headers)).toEqual(sizes)
  })
})

describe('over a connection', () => {
  /** A server that answers with the outcome, and tells the first one. */
  function listen() {
    const first = Promise.withResolvers<Outcome>()
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      async fetch(made) {
        const read = await outcome(made)
        first.resolve(read)
        return Response.json(read)
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
    ['that states its length', () => new Uint8Array(20 * MiB)],
    ['in pieces', () => new Blob([new Uint8Array(20 * MiB)]).stream()],
  ])('an upload %s gets its refusal, and the next request its answer', async (_, body) => {
    await using board = listen()
    const headers = { 'content-type': MULTIPART }
    const answer = await fetch(board.url, { method: 'POST', headers, body: body() })
    expect(await answer.json()).toBe('contentTooLarge')
    const next = await fetch(board.url, {
      method: 'POST',
      headers: { 'content-type': URLENCODED },
      body: 'a=1',
    })
    expect(await next.json()).toEqual({ a: '1' })
  })

  test('a sender that hangs up is at fault', async () => {
    await using board = listen()
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port: board.server.port ?? 0,
      socket: { data() {} },
    })
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: 9\r\n\r\n{"a"`)
    socket.end()
    expect(await board.first).toBe('malformed')
  })
})

describe('what a client encodes is what is read', () => {
  const ODD = [
    '',
    ' ',
    '\r\n',
    '"',
    '\\',
    '%',
    '%22',
    '%ff',
    '+',
    '&',
    '=',
    ';',
    '--',
    '{',
    'ü',
    '日本',
    '😀',
    '\0',
    '\ufeff',
    '\u2028',
  ]
  /** Texts of odd pieces, the same at every run. */
  const texts = Array.from({ length: 200 }, (_, seed) =>
    [7, 11, 13].map(step => ODD[(seed * step) % ODD.length]).join(''),
  )

  test('urlencoded', async () => {
    const sent = new Map(texts.map((text, index) => [`${index}${text}`, text]))
    const made = request(URLENCODED, new URLSearchParams([...sent]).toString())
    expect((await readFields(made)).values).toEqual(sent)
  })

  test('as a multipart form', async () => {
    const form = new FormData()
    for (const [index, text] of texts.entries()) {
      form.set(`t${index}`, text)
      form.set(`f${index}`, new File([`x${text}`], 'x.bin'))
    }
    const { values } = await readFields(new Request('http://board.test/', { method: 'POST', body: form }))
    for (const [index, text] of texts.entries()) {
      expect(values.get(`t${index}`)).toBe(text)
      expect(values.get(`f${index}`)).toEqual(new Upload(utf8(`x${text}`), 'x.bin'))
    }
  })
})
