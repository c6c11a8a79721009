import * as fc from 'fast-check'
import type { Encoded } from './bodies.ts'
import { SECRET } from './texts.ts'

/** Damages a body or its headers. */
export interface Mangling {
  readonly does: string
  readonly apply: (encoded: Encoded) => Encoded
}

const bytesTo = (does: string, change: (bytes: Buffer) => Buffer): Mangling => ({
  does,
  apply: ({ type, bytes }) => ({ type, bytes: change(bytes) }),
})

const body = (text: string) => bytesTo(`body ${text.slice(0, 20)}`, () => Buffer.from(text))
const typeTo = (does: string, change: (type: string) => string): Mangling => ({
  does,
  apply: ({ type, bytes }) => ({ type: change(type), bytes }),
})

/** Manglings that don't change the meaning. */
export const HARMLESS: readonly Mangling[] = [
  bytesTo('byte order mark', bytes => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])),
  typeTo('charset=utf-8', type => `${type}; charset=utf-8`),
  typeTo('charset="UTF8"', type => `${type} ; Charset="UTF8"`),
  typeTo('upper case', type => type.replace(/^[^;]+/, text => text.toUpperCase())),
]

const BROKEN: readonly Mangling[] = [
  bytesTo('empty', () => Buffer.alloc(0)),
  body('null'),
  body('[]'),
  body('"text"'),
  body('7'),
  body('{'),
  body(`{"password":"${SECRET}"`),
  body(`{"password":"${SECRET}",}`),
  body(`{'password':'${SECRET}'}`),
  body(`{"password":"${SECRET}","a":${'['.repeat(33)}`),
  body('{"title":NaN}'),
  body('{"title":1e400}'),
  body('{} {}'),
  body('\ufeff\ufeff{}'),
  body(`${'['.repeat(33)}${']'.repeat(33)}`),
  body(`{"a":${'['.repeat(31)}${']'.repeat(31)}}`),
  body(`{"a":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`),
  body('['.repeat(100_000)),
  body('a=1&'.repeat(1001)),
  body('&&==&=&'),
  body('job%5Btitle%5D=%ff&job[company]=%'),
  bytesTo('UTF-16', bytes => Buffer.from(bytes.toString(), 'utf16le')),
  bytesTo('twice', bytes => Buffer.concat([bytes, bytes])),
  ...[
    'text/plain',
    'application/xml',
    'application/jsonx',
    'application/problem+json',
    'application/octet-stream',
    'multipart/mixed; boundary=x',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=another',
    'application/json',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'application/x-www-form-urlencoded; charset=utf-16',
    ';',
    'a/b; c="d',
    '',
  ].map(type => typeTo(`content-type: ${type}`, () => type)),
]

/** A length over the limit of every type except forms with files. */
export const LARGE = body('x'.repeat(1024 * 1024 + 1))

/** Generates manglings, harmful or not. */
export const mangling: fc.Arbitrary<Mangling> = fc.oneof(
  fc.constantFrom(...BROKEN, ...HARMLESS),
  fc.nat(9999).map(end => bytesTo(`cut ${end}`, bytes => bytes.subarray(0, end % (bytes.length + 1)))),
  fc.tuple(fc.nat(9999), fc.uint8Array({ minLength: 1, maxLength: 4 })).map(([at, some]) =>
    bytesTo(`bytes ${[...some].join(' ')} put in at ${at}`, bytes => {
      const place = at % (bytes.length + 1)
      return Buffer.concat([bytes.subarray(0, place), some, bytes.subarray(place)])
    }),
  ),
)
