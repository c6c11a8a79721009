import * as fc from 'fast-check'
import type { By, Place } from './attempt.ts'
import { oddAuthorization } from './headers.ts'

export const number: fc.Arbitrary<Place> = fc.nat(999).map(chosen => ({ number: chosen }))

export const oddPlace: fc.Arbitrary<Place> = fc
  .oneof(
    fc.constantFrom(
      '0',
      '01',
      '-1',
      '+1',
      '1.0',
      '1e3',
      '999999',
      '999999999999999',
      '9'.repeat(16),
      '9'.repeat(300),
    ),
    fc.constantFrom(
      'abc',
      '%31',
      '1%2F',
      '1;a',
      'a'.repeat(43),
      '..',
      '%2e%2e',
      '%00',
      '%ff',
      '%',
      '1%20',
      '*',
      "'",
      '~',
    ),
    fc.stringMatching(/^[\w-]{1,50}$/),
  )
  .map(text => ({ text }))

export const by: fc.Arbitrary<By> = fc.oneof(
  { weight: 24, arbitrary: fc.constantFrom<By>('owner', 'other', 'nobody', 'wrong') },
  // hashing passwords is slow
  { weight: 1, arbitrary: fc.constant<By>('unknown') },
  { weight: 8, arbitrary: oddAuthorization.map(authorization => ({ authorization })) },
)

export const VERBS = ['HEAD', 'OPTIONS', 'PATCH', 'GET', 'POST', 'PUT', 'DELETE', 'get', 'QUERY', 'TRACE']

export const oddQuery = fc.oneof(
  fc.constantFrom(
    '%',
    '%zz',
    '%ff',
    '=',
    '&&&',
    'a',
    'page',
    'page=1&page=2',
    'page=x',
    'q=%00',
    'q=%ed%a0%80',
    '?',
    '__proto__=1',
  ),
  fc.constantFrom(
    'page=0',
    'page=1',
    'per_page=1',
    'per_page=101',
    'page=9007199254740992',
    'status=',
    'term=-1',
    'days=0',
    'days=366',
  ),
  fc.constant(`q=${'x'.repeat(257)}`),
  fc.stringMatching(/^[\w%&=+.]{0,30}$/),
)
