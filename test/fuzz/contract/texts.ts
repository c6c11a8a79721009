import * as fc from 'fast-check'

/** A part of every password that is sent, and of nothing else: no response and no log line may contain it. */
export const SECRET = 's3cret'

const isTypable = (point: number) =>
  !(point >= 0xd800 && point <= 0xdfff) && !/[\p{Cc}\p{Z}\ufeff]/u.test(String.fromCodePoint(point))

const inPlane = (plane: number) =>
  fc.integer({ min: plane * 0x10000, max: plane * 0x10000 + 0xffff }).filter(isTypable)

/** Generates a character of any plane, except spaces and controls. */
export const character = fc
  .oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0x21, max: 0x7e }) },
    { weight: 2, arbitrary: fc.integer({ min: 0xa1, max: 0x2fff }).filter(isTypable) },
    { weight: 2, arbitrary: fc.nat(16).chain(inPlane) },
    { weight: 1, arbitrary: fc.constantFrom(...`'"<>&\\/[]{}%+=;,$\`|~@#`).map(char => char.charCodeAt(0)) },
  )
  .map(point => String.fromCodePoint(point))

/** Generates a line of this number of code points, as people might type it. */
export function line(min: number, max: number): fc.Arbitrary<string> {
  const length = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min, max: Math.min(max, min + 20) }) },
    { weight: 1, arbitrary: fc.constantFrom(min, Math.min(max, min + 1), max, Math.max(min, max - 1)) },
  )
  return fc
    .tuple(length, fc.array(character, { minLength: 1, maxLength: 24 }))
    .map(([count, some]) =>
      Array.from({ length: count }, (_, at) =>
        at % 9 === 5 && at < count - 1 ? ' ' : some[at % some.length],
      ).join(''),
    )
}

/** Texts that most fields refuse, or must return unchanged. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\u3000\t',
    '\0',
    'a\0b',
    '\ud800',
    'x\udc00y',
    '\u{10ffff}',
    '\ufeffmarked',
    '\u202eright to left',
    'two\nlines',
    'bell\u0007',
    'line\u2028separator',
    ' framed ',
    'é e\u0301',
    'null',
    'undefined',
    'NaN',
    '[object Object]',
    '{"a":1}',
    '[1]',
    "'; DROP TABLE jobs; --",
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '%00%ff',
    '__proto__',
    'job[title]',
    'http://',
    'javascript:alert(1)',
    'https://user:pw@[::1]:99999/',
    'a@b',
    'admin@localhost',
    'ø@exämple.com',
    'https://bücher.example/ä?ö#ü',
    '@',
    'a@example.com\r\nBcc: b@example.com',
    '2026-02-30T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-01-10T18:21:60Z',
    '2026-01-10t18:21:59.999+23:59',
  ),
  fc
    .constantFrom(63, 64, 65, 254, 255, 256, 257, 2048, 2049, 65_536, 65_537)
    .map(length => 'x'.repeat(length)),
  fc.constantFrom(32, 64, 65, 255, 256).map(length => '🧭'.repeat(length)),
  fc.constantFrom(
    '0',
    '1',
    '-1',
    '+7',
    ' 12 ',
    '007',
    '1e3',
    '12.0',
    '0x10',
    '9007199254740991',
    '9007199254740992',
    '9'.repeat(400),
  ),
  fc.constantFrom('true', 'false', 'on', 'off', 'yes', 'TRUE'),
)
