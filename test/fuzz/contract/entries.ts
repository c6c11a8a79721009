import * as fc from 'fast-check'
import { png } from '../../helpers/pictures.ts'
import { oddText } from './texts.ts'

/** A JSON text that JavaScript has no value for. */
export class Literal {
  constructor(readonly text: string) {}
}

/** A file in a form. */
export class Attachment {
  constructor(
    readonly bytes: Uint8Array,
    readonly filename: string,
    readonly type: string,
  ) {}
}

/** A placeholder for the id of a record that exists when the request is sent. */
export class Pick {
  constructor(
    readonly table: 'categories' | 'terms' | 'plans',
    readonly number: number,
  ) {}
}

/** A field name and value. Names may repeat. */
export type Entry = readonly [name: string, value: unknown]

const PICTURE = Uint8Array.from(png(3, 2))

const file = (bytes: Uint8Array, filename = 'logo.png', type = 'image/png') =>
  new Attachment(bytes, filename, type)

export const goodLogo: fc.Arbitrary<Attachment> = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.constantFrom('logo.png', '../../x.exe', 'ø"\\.gif', ''))
  .map(([size, name]) => file(Uint8Array.from(png(size, 2)), name))

/** Files that are not valid logos, and an empty one, which counts as not sent. */
export const oddLogo: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer({ min: 1, max: PICTURE.length - 1 }).map(end => file(PICTURE.subarray(0, end))),
  fc.uint8Array({ maxLength: 64 }).map(bytes => file(bytes)),
  fc.constantFrom(
    file(new Uint8Array()),
    file(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'logo.svg', 'image/svg+xml'),
    file(Buffer.from('GIF89a'), 'logo.gif', 'image/gif'),
    file(Uint8Array.from(png(5000, 5000)), 'large.png'),
    '',
    null,
    'https://elsewhere.example/logo.png',
  ),
)

/** Generates JSON values of every type, and some that JavaScript lacks. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: oddText },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      [],
      {},
      ['a'],
      { a: 1 },
      [[]],
      0,
      -1,
      1.5,
      2 ** 31,
      2 ** 53,
      2 ** 53 - 1,
      -(2 ** 53),
      1e21,
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        '-0',
        '1e400',
        '-1e400',
        '1.0',
        '1E2',
        '1e-7',
        '123456789012345678901234567890',
        '"\\u0000"',
        '"\\ud800"',
        '"\\ud83d\\ude00"',
        '{"__proto__":1}',
      )
      .map(text => new Literal(text)),
  },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
)

/** Names that no operation has, some dangerous to careless code. */
export const oddName = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'id',
  'status',
  'url',
  'views',
  'user',
  'created_at',
  'job',
  'job[]',
  'job[title',
  'job[title][x]',
  'jobs[title]',
  'title ',
  'TITLE',
  '',
  'unknown',
  'ñ',
  '\u{1f9ed}',
)
