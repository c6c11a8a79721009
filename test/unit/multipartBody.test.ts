import { describe, expect, test } from 'bun:test'
import { Upload } from '../../src/http/request/fields.ts'
import {
  fieldNames,
  KiB,
  MiB,
  MULTIPART,
  multipart,
  outcomeOf,
  part,
  readFields,
  requestOf,
  testBodies,
  utf8,
} from '../helpers/requestBodies.ts'

const file = (content: string, filename: string) =>
  new Upload(new Uint8Array(Buffer.from(content, 'latin1')), filename)

describe('a multipart form', () => {
  testBodies([
    ['has texts', MULTIPART, multipart(part('name="a"', '12'), part('name=b', '')), { a: '12', b: '' }],
    [
      'takes a text as it is',
      MULTIPART,
      multipart(part('name="a"', ' {"b":1}\r\n\r\n--C\r\n')),
      { a: ' {"b":1}\r\n\r\n--C\r\n' },
    ],
    ['has text in UTF-8', MULTIPART, utf8(multipart(part('name="ü"', '😀'))), { ü: '😀' }],
    [
      'has files',
      MULTIPART,
      multipart(part('name="a"; filename="x.png"', '\x89\0\xff\r\n')),
      { a: file('\x89\0\xff\r\n', 'x.png') },
    ],
    ['ignores a file without bytes', MULTIPART, multipart(part('name="a"; filename=""', '')), {}],
    [
      'does not replace a file by one without bytes',
      MULTIPART,
      multipart(part('name="a"; filename="x"', 'y'), part('name="a"; filename=""', '')),
      { a: file('y', 'x') },
    ],
    [
      'has a file with an encoded name',
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
    ['takes the first of two names', MULTIPART, multipart(part('name="a"; name="b"', '1')), { a: '1' }],
    [
      'reads headers in any case and order',
      MULTIPART,
      '--B  \r\nX: y\r\nCONTENT-DISPOSITION:Form-Data;NAME="a"\r\nContent-Type: text/plain\r\n\r\n1\r\n--B--',
      { a: '1' },
    ],
    ['may have no parts', MULTIPART, multipart(), {}],
    ['may have empty lines around it', MULTIPART, `\r\n${multipart(part('name="a"', '1'))}\r\n`, { a: '1' }],
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
    const parts = fieldNames(1000).map(name => part(`name="${name}"`, ''))
    const { values, isForm: form } = await readFields(requestOf(MULTIPART, multipart(...parts)))
    expect([values.size, form]).toEqual([1000, true])
  })

  test('may be 8 MiB, and not a byte more', async () => {
    const frame = multipart(part('name="a"; filename="x"', '')).length
    const sized = (size: number) =>
      requestOf(MULTIPART, multipart(part('name="a"; filename="x"', 'x'.repeat(size - frame))))
    const { values } = await readFields(sized(8 * MiB))
    expect(values.get('a')).toHaveProperty('bytes.length', 8 * MiB - frame)
    expect(await outcomeOf(sized(8 * MiB + 1))).toBe('contentTooLarge')
  })
})
