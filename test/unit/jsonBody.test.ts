import { describe, expect, test } from 'bun:test'
import { JSON_TYPE, MiB, readFields, requestOf, testBodies, utf8 } from '../helpers/requestBodies.ts'

const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`

describe('JSON', () => {
  testBodies([
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
    ['must be UTF-8', JSON_TYPE, '{"a":"\xff"}', 'malformed'],
    ['must not have surrogates as bytes', JSON_TYPE, '{"a":"\xed\xa0\x80"}', 'malformed'],
    ['leaves lone surrogates and NUL to the schema', JSON_TYPE, '{"a":"\\ud800\\u0000"}', { a: '\ud800\0' }],
    ['must not be an array', JSON_TYPE, '[]', 'malformed'],
    ['must not be a string', JSON_TYPE, '"a"', 'malformed'],
    ['must not be null', JSON_TYPE, 'null', 'malformed'],
    ['must not be white space', JSON_TYPE, ' ', 'malformed'],
    ['must not be cut off', JSON_TYPE, '{"a":1', 'malformed'],
    ['must not be followed by anything', JSON_TYPE, '{"a":1}{}', 'malformed'],
    ['may be 32 levels deep', JSON_TYPE, `{"a":${nested(31)}}`, { a: JSON.parse(nested(31)) }],
    ['may not be 33 levels deep', JSON_TYPE, `{"a":${nested(32)}}`, 'malformed'],
    [
      'may not be 33 levels of objects deep',
      JSON_TYPE,
      `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
      'malformed',
    ],
    [
      'may have any number of arrays side by side',
      JSON_TYPE,
      `{"a":[${'[],'.repeat(99)}{}]}`,
      { a: [...Array.from({ length: 99 }, () => []), {}] },
    ],
    [
      'may have any number of brackets in a string',
      JSON_TYPE,
      `{"a":"\\"${'['.repeat(99)}"}`,
      { a: `"${'['.repeat(99)}` },
    ],
    ['of half a million levels is refused without a crash', JSON_TYPE, nested(500_000), 'malformed'],
    ['may be 1 MiB', JSON_TYPE, `{}${' '.repeat(MiB - 2)}`, {}],
    ['may not be a byte over 1 MiB', JSON_TYPE, `{}${' '.repeat(MiB - 1)}`, 'contentTooLarge'],
  ])

  test('is not a form', async () => {
    expect((await readFields(requestOf(JSON_TYPE, '{}'))).isForm).toBe(false)
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
  ])('gets an error for %j that shows the place, and none of the text', async (body, place) => {
    const error = await readFields(requestOf(JSON_TYPE, body)).catch(String)
    expect(error).toContain(place)
    expect(error).not.toContain('secret')
  })
})
