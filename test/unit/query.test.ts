import { expect, test } from 'bun:test'
import { parseQueryString } from '../../src/http/request/query.ts'

test.each([
  ['http://board.test/jobs.json', {}],
  ['http://board.test/jobs.json?', {}],
  ['/jobs.json?q=nurse&page=2', { q: 'nurse', page: '2' }],
  ['/jobs.json?q=a&q=b&q=', { q: '' }],
  ['/jobs.json?q', { q: '' }],
  ['/jobs.json?q=a+b%20c%2Bd&%71%71=%C3%BC', { q: 'a b c+d', qq: 'ü' }],
  ['/jobs.json?q=100%&p=%zz', { q: '100%', p: '%zz' }],
  ['/jobs.json?q=a?b=c', { q: 'a?b=c' }],
  ['/jobs.json?q=a#b?q=c', { q: 'a' }],
  ['/jobs.json#b?q=c', {}],
])('the query of %s is parsed', (url, values) => {
  expect(Object.fromEntries(parseQueryString(url))).toEqual(values)
})

test.each(['?q=%ff', '?%c3=a', '?q=%ed%a0%80', '?q=%c0%80'])(
  'the query %s is refused, because it is not UTF-8',
  url => {
    expect(() => parseQueryString(url)).toThrow(expect.objectContaining({ kind: 'malformed' }))
  },
)
