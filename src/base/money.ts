/** What a salary is for, as jobs state it. */
const PERIODS = {
  hourly: 'an hour',
  daily: 'a day',
  weekly: 'a week',
  monthly: 'a month',
  yearly: 'a year',
}

// one takes 20 µs to make
const formats = new Map<string, Intl.NumberFormat>()

/** `$120,000`, `CA$90,000`, `SEK 30,500`: a whole amount of money in a currency of ISO 4217. */
export function formatMoney(amount: number, currency: string): string {
  const known = formats.get(currency)
  if (known) return known.format(amount)
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, maximumFractionDigits: 0 })
  formats.set(currency, format)
  return format.format(amount)
}

/** `$120,000 a year`, `€18 an hour`. */
export const formatSalary = (amount: number, currency: string, period: keyof typeof PERIODS) =>
  `${formatMoney(amount, currency)} ${PERIODS[period]}`
