import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { parseQueryString } from '../../src/http/request/query.ts'
import { canonicalQuery, validateQuery } from '../../src/http/response/list.ts'
import { booleanField, enumField, integerField } from '../../src/validation/fields.ts'
import { searchField } from '../../src/validation/textFields.ts'

const SCHEMA = Type.Object({
  q: Type.Optional(searchField({ maxLength: 20 })),
  term: Type.Optional(integerField({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE })),
  place: Type.Optional(enumField(['remote', 'onsite'], {})),
  mine: Type.Optional(booleanField({})),
  page: Type.Optional(integerField({ minimum: 1, maximum: 1000 })),
})

const canonical = (query: string) =>
  canonicalQuery(SCHEMA, validateQuery({ query: parseQueryString(query) }, SCHEMA).valueOrThrow())

test.each([
  ['', ''],
  ['?', ''],
  ['?x=1', ''],
  ['?x=1&y=2&q=', ''],
  ['?q=%20&term=&place=', ''],
  ['?q=nurse', '?q=nurse'],
  ['?q=+nurse+', '?q=nurse'],
  ['?q=nurse&x=1', '?q=nurse'],
  ['?page=2&q=nurse', '?q=nurse&page=2'],
  ['?q=old&q=nurse', '?q=nurse'],
  ['?term=007', '?term=7'],
  ['?mine=on', '?mine=true'],
  ['?q=a%26page%3D2', '?q=a%26page%3D2'],
  ['?q=caf%C3%A9', '?q=caf%C3%A9'],
  ['?__proto__=1&constructor=2', ''],
])('the canonical form of the query %j is %j', (query, expected) => {
  expect(canonical(query)).toBe(expected)
})

test('queries that ask for different things have different canonical forms', () => {
  const queries = [
    '',
    '?q=a',
    '?q=A',
    '?q=a&page=1',
    '?q=a&page=2',
    '?term=1',
    '?place=remote',
    '?mine=false',
  ]
  expect(new Set(queries.map(canonical)).size).toBe(queries.length)
})
