/** The salary periods as people read them. */
const PERIODS = {
  hourly: 'an hour',
  daily: 'a day',
  weekly: 'a week',
  monthly: 'a month',
  yearly: 'a year',
}

/** The cached formats by currency. Creating one takes 20 µs. */
const formats = new Map<string, Intl.NumberFormat>()

/** Formats a whole amount in a currency of ISO 4217: `$120,000`, `CA$90,000`, `SEK 30,500`. */
export function formatMoney(amount: number, currency: string): string {
  const cached = formats.get(currency)
  if (cached) return cached.format(amount)
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, maximumFractionDigits: 0 })
  formats.set(currency, format)
  return format.format(amount)
}

/** Formats a salary: `$120,000 a year`, `€18 an hour`. */
export const formatSalary = (amount: number, currency: string, period: keyof typeof PERIODS) =>
  `${formatMoney(amount, currency)} ${PERIODS[period]}`
