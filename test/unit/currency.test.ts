import { expect, test } from 'bun:test'
import { isCurrency } from '../../src/base/currency.ts'

test.each([
  'USD',
  'EUR',
  'JPY',
  'XOF',
  'XAF',
  'XPF',
  'XCD',
  'XCG',
  'ZWG',
  'SLE',
  'VED',
  'SVC',
  'MRU',
  'STN',
  'SYP',
])('%s is a currency in use', code => {
  expect(isCurrency(code)).toBe(true)
})

test.each([
  ['of the past', ['DEM', 'HRK', 'BGN', 'ANG', 'SLL', 'ZWL', 'CUC', 'VEF', 'BYR', 'MRO', 'STD', 'LTL']],
  [
    'a fund or a unit of account',
    ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'XDR', 'XUA', 'XSU', 'XAD'],
  ],
  ['a metal, a test or none', ['XAU', 'XAG', 'XPT', 'XPD', 'XTS', 'XXX', 'XBA']],
  ['no code', ['', 'usd', 'US', 'USDD', 'BTC', '€', 'AED AFN']],
])('codes that are %s are refused', (_, codes) => {
  expect(codes.filter(isCurrency)).toEqual([])
})

test('Intl knows every code', () => {
  const known = Intl.supportedValuesOf('currency')
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap(a => letters.flatMap(b => letters.map(c => a + b + c))).filter(isCurrency)
  expect(codes).toHaveLength(155)
  expect(codes.filter(code => !known.includes(code))).toEqual([])
})
