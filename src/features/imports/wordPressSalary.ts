import { isCurrency } from '../../base/currency.ts'

const SYMBOLS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR' }
const PERIODS: Readonly<Record<string, string>> = {
  HOUR: 'hourly',
  DAY: 'daily',
  WEEK: 'weekly',
  MONTH: 'monthly',
  YEAR: 'yearly',
}
/** The period of a salary that has none. */
const DEFAULT_PERIOD = 'yearly'

/** Matches a single amount, perhaps with a currency and separators of thousands. Cents are dropped. */
const AMOUNT = /^([$€£¥₹]?)\s*(\d{1,3}(?:[,. ' ]\d{3})+|\d+)(?:[.,]\d{1,2})?\s*([$€£¥₹]?)$/

/**
 * Reads a salary, which is any text in WP Job Manager, as fields of a job. Returns undefined if it isn't a single amount.
 * @param currency the code of its currency, or empty
 * @param unit `HOUR`, `DAY`, `WEEK`, `MONTH`, `YEAR`, or empty
 */
export function parseSalary(text: string, currency: string, unit: string) {
  const [, before = '', digits, after = ''] = AMOUNT.exec(text) ?? []
  const salary = Number(digits?.replaceAll(/\D/g, ''))
  if (digits === undefined || !Number.isSafeInteger(salary)) return undefined
  const code = currency.toUpperCase()
  const salaryCurrency = isCurrency(code) ? code : SYMBOLS[before || after]
  return {
    salary,
    ...(salaryCurrency !== undefined && { salary_currency: salaryCurrency }),
    salary_period: PERIODS[unit.toUpperCase()] ?? DEFAULT_PERIOD,
  }
}
