import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { parseQuery } from '../../src/http/request/query.ts'
import { QueryKeys } from '../../src/http/response/queryKeys.ts'
import { booleanField, enumField, integerField } from '../../src/validation/fields.ts'
import { searchField } from '../../src/validation/textFields.ts'

const SCHEMA = Type.Object({
  q: Type.Optional(searchField({ maxLength: 20 })),
  term: Type.Optional(integerField({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE })),
  place: Type.Optional(enumField(['remote', 'onsite'], {})),
  mine: Type.Optional(booleanField({})),
  page: Type.Optional(integerField({ minimum: 1, maximum: 1000 })),
})

const keys = new QueryKeys(SCHEMA)
const keyOf = (search: string) => keys.of({ search, query: parseQuery(search) })

test.each([
  ['', ''],
  ['?', ''],
  ['?x=1', ''],
  ['?x=1&y=2&q=', ''],
  ['?q=%20&term=&place=', ''],
  ['?q=nurse', 'q=nurse'],
  ['?q=+nurse+', 'q=nurse'],
  ['?q=nurse&x=1', 'q=nurse'],
  ['?page=2&q=nurse', 'q=nurse&page=2'],
  ['?q=old&q=nurse', 'q=nurse'],
  ['?term=007', 'term=7'],
  ['?mine=on', 'mine=true'],
  ['?q=a%26page%3D2', 'q=a%26page%3D2'],
  ['?q=caf%C3%A9', 'q=caf%C3%A9'],
  ['?__proto__=1&constructor=2', ''],
])('the key of %s is %j', (search, key) => {
  expect(keyOf(search)).toBe(key)
  // remembered by now
  expect(keyOf(search)).toBe(key)
})

test('queries that ask for different things have different keys', () => {
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
  expect(new Set(queries.map(keyOf)).size).toBe(queries.length)
})

test.each(['?page=0', '?term=x', '?place=moon', `?q=${'x'.repeat(21)}`])('%s has no key', search => {
  expect(keyOf(search)).toBeUndefined()
})

test('a query that is not UTF-8 is refused, also where nobody reads it', () => {
  expect(() => keyOf('?x=%ff')).toThrow(expect.objectContaining({ kind: 'malformed' }))
})

test('a key is made once for each text of a query, and for no end of them', () => {
  const few = new QueryKeys(SCHEMA)
  let reads = 0
  const ask = (search: string) =>
    few.of({
      search,
      get query() {
        reads++
        return parseQuery(search)
      },
    })
  for (let time = 0; time < 3; time++) expect(ask('?q=nurse')).toBe('q=nurse')
  expect(reads).toBe(1)
  for (let stray = 0; stray < 2000; stray++) ask(`?x=${stray}`)
  expect(ask('?q=nurse')).toBe('q=nurse')
  expect(reads).toBe(2002)
})
