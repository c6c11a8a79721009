import { describe, expect, test } from 'bun:test'
import { formatSalary } from '../../src/base/money.ts'

const SPACE = '\u{a0}'

describe('A salary', () => {
  test.each([
    [120_000, 'USD', 'yearly', '$120,000 a year'],
    [18, 'EUR', 'hourly', '€18 an hour'],
    [0, 'GBP', 'daily', '£0 a day'],
    [900, 'JPY', 'weekly', '¥900 a week'],
    [30_500, 'SEK', 'monthly', `SEK${SPACE}30,500 a month`],
    [5000, 'KWD', 'monthly', `KWD${SPACE}5,000 a month`],
    [90_000, 'CAD', 'yearly', 'CA$90,000 a year'],
    [Number.MAX_SAFE_INTEGER, 'IDR', 'yearly', `IDR${SPACE}9,007,199,254,740,991 a year`],
  ] as const)('of %d %s %s is written as people write it', (amount, currency, period, written) =>
    expect(formatSalary(amount, currency, period)).toBe(written),
  )
})
