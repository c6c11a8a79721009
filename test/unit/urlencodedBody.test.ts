import { describe, expect, test } from 'bun:test'
import {
  fieldNames,
  MiB,
  readFields,
  requestOf,
  testBodies,
  URLENCODED,
  utf8,
} from '../helpers/requestBodies.ts'

describe('an urlencoded form', () => {
  testBodies([
    ['is text', URLENCODED, 'a=12&b=on&c=', { a: '12', b: 'on', c: '' }],
    ['needs no value', URLENCODED, 'a&=b&&', { a: '', '': 'b' }],
    ['may have equals signs in a value', URLENCODED, 'a=b=c', { a: 'b=c' }],
    ['has spaces and bytes escaped', URLENCODED, 'a+b=%31+2+3%2B%C3%BC', { 'a b': '1 2 3+ü' }],
    ['may be plain UTF-8', URLENCODED, utf8('ü=😀'), { ü: '😀' }],
    [
      'keeps a percent sign that escapes nothing',
      URLENCODED,
      'a=100%&b=%zz%2&%=1',
      { a: '100%', b: '%zz%2', '%': '1' },
    ],
    ['must be UTF-8', URLENCODED, 'a=\xff', 'malformed'],
    ['must not have a value that is not UTF-8', URLENCODED, 'a=%ff', 'malformed'],
    ['must not have a name that is not UTF-8', URLENCODED, '%c3=a', 'malformed'],
    ['may begin with a byte order mark', URLENCODED, '\xef\xbb\xbfa=1', { a: '1' }],
    ['keeps a byte order mark in a value', URLENCODED, 'a=%ef%bb%bf1', { a: '\ufeff1' }],
    ['may wrap its names', URLENCODED, 'job[title]=x&job%5Bterm_id%5D=1', { title: 'x', term_id: '1' }],
    ['takes the last value, wrapped or not', URLENCODED, 'job[a]=1&a=2&b=1&job[b]=2', { a: '2', b: '2' }],
    [
      'keeps other brackets in names',
      URLENCODED,
      'job[a][b]=1&job[]=2&plan[a]=3&xjob[a]=4&a[]=5&job[a]x=6',
      { 'job[a][b]': '1', 'job[]': '2', 'plan[a]': '3', 'xjob[a]': '4', 'a[]': '5', 'job[a]x': '6' },
    ],
    ['may be 1 MiB', URLENCODED, `a=${'x'.repeat(MiB - 2)}`, { a: 'x'.repeat(MiB - 2) }],
    ['may not be a byte over 1 MiB', URLENCODED, `a=${'x'.repeat(MiB - 1)}`, 'contentTooLarge'],
    ['may not have 1,001 fields', URLENCODED, fieldNames(1001).join('&'), 'contentTooLarge'],
    ['may not repeat a field 1,001 times', URLENCODED, 'a=1&'.repeat(1001), 'contentTooLarge'],
  ])

  test('may have 1,000 fields', async () => {
    const { values, isForm: form } = await readFields(requestOf(URLENCODED, fieldNames(1000).join('&')))
    expect([values.size, form]).toEqual([1000, true])
  })
})
