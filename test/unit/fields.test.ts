import { describe, expect, test } from 'bun:test'
import {
  JSON_TYPE,
  MULTIPART,
  multipart,
  part,
  readFields,
  requestOf,
  testBodies,
  URLENCODED,
} from '../helpers/requestBodies.ts'

describe('the content type', () => {
  testBodies([
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
    ['must be a supported one', 'text/plain', '{}', 'unsupportedMediaType'],
    ['must not only look like JSON', 'application/problem+json', '{}', 'unsupportedMediaType'],
    ['must not be given twice', 'application/json, text/plain', '{}', 'unsupportedMediaType'],
    ['must not be another multipart', 'multipart/mixed; boundary=B', multipart(), 'unsupportedMediaType'],
    ['allows no compression', JSON_TYPE, '{}', 'unsupportedMediaType', { 'content-encoding': 'gzip' }],
    ['allows the coding identity', JSON_TYPE, '{"a":1}', { a: 1 }, { 'content-encoding': 'Identity' }],
  ])
})

describe('an empty body has no fields', () => {
  testBodies([
    ['without a type', null, '', {}],
    ['as JSON', JSON_TYPE, '', {}],
    ['as a form', URLENCODED, '', {}],
    ['as a multipart form', MULTIPART, '', {}],
    ['as a multipart form without boundary', 'multipart/form-data', '', {}],
    ['as another type', 'text/plain', '', {}],
    ['compressed', JSON_TYPE, '', {}, { 'content-encoding': 'gzip' }],
    ['in chunks', null, new ReadableStream({ start: controller => controller.close() }), {}],
  ])

  test('nor does a request without a body', async () => {
    expect((await readFields(new Request('http://board.test/', { method: 'POST' }))).values.size).toBe(0)
  })
})

test.each(['__proto__', 'constructor', 'toString'])('%s is a name like any other', async name => {
  const body = {
    [JSON_TYPE]: `{"${name}":"x"}`,
    [URLENCODED]: `${name}=x`,
    [MULTIPART]: multipart(part(`name=${name}`, 'x')),
  }
  for (const [type, text] of Object.entries(body)) {
    const { values } = await readFields(requestOf(type, text))
    expect([...values]).toEqual([[name, 'x']])
  }
  expect({}).not.toHaveProperty('x')
})
