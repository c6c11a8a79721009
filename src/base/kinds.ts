import type { SchemaOptions, TSchema } from '@sinclair/typebox'
import { parseTimestamp } from './clock.ts'
import { CURRENCIES, isCurrency } from './currency.ts'
import { type Field, kind, REQUIRED, trimmed } from './kind.ts'
import { isBlank } from './text.ts'

/** One of a few words. */
export const choice = <const W extends string, const P extends SchemaOptions>(
  words: readonly W[],
  options: P,
) => choiceKind({ ...options, enum: [...words] }) as Field<W, P> // the words are the type, which a kind can't know

const choiceKind = kind<string, SchemaOptions & { enum: string[] }>(
  'Choice',
  { type: 'string' },
  {
    read: trimmed,
    fault: (value, schema) =>
      schema['enum'].includes(value) ? undefined : `must be one of ${schema['enum'].join(', ')}`,
  },
)

/** An ISO 4217 code; any case comes in, upper case goes out. */
export const currencyCode = kind<string>(
  'CurrencyCode',
  { type: 'string', enum: CURRENCIES },
  {
    read: sent => (typeof sent === 'string' ? sent.trim().toUpperCase() : sent),
    fault: value =>
      typeof value === 'string' && isCurrency(value)
        ? undefined
        : 'must be the ISO 4217 code of a currency in use, such as USD',
  },
)

interface WholeOptions extends SchemaOptions {
  minimum: number
  maximum: number
}

const WHOLE = /^\s*[+-]?\d+\s*$/

/** Digits become the number they write, in JSON too; hundreds of them the largest that there is. */
const wholeFromText = (sent: unknown) =>
  typeof sent === 'string' && WHOLE.test(sent)
    ? Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(sent)))
    : sent

function wholeFault(value: unknown, { minimum, maximum }: TSchema): string | undefined {
  if (isBlank(value)) return REQUIRED
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'must be a whole number'
  return value < minimum || value > maximum ? `must be from ${minimum} to ${maximum}` : undefined
}

/** A whole number. */
export const whole = kind<number, WholeOptions>(
  'Whole',
  { type: 'integer', format: 'int64' },
  { read: wholeFromText, fault: wholeFault },
)

/** The id of something. Whether there is such a thing is for the rules to say. */
export const id = (options: SchemaOptions) =>
  whole({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...options })

/** A whole number, or none: an empty text or null. */
export const wholeOrNone = kind<number | null, WholeOptions>(
  'WholeOrNone',
  { type: ['integer', 'null'], format: 'int64' },
  {
    isBlank: () => false,
    read: sent => (trimmed(sent) === '' ? null : wholeFromText(sent)),
    fault: (value, schema) => (value === null ? undefined : wholeFault(value, schema)),
  },
)

const FLAGS = new Map<string, boolean>([
  ['true', true],
  ['1', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['off', false],
])

/** What a text stands for, in any case: Python, for one, writes `True`. */
const flagFromText = (sent: unknown) =>
  typeof sent === 'string' ? (FLAGS.get(sent.trim().toLowerCase()) ?? sent) : sent

/** Yes or no. */
export const flag = kind<boolean>(
  'Flag',
  { type: 'boolean' },
  {
    read: flagFromText,
    fault: value =>
      isBlank(value) ? REQUIRED : typeof value === 'boolean' ? undefined : 'must be true or false',
  },
)

const TIMESTAMP = 'must be an RFC 3339 timestamp, such as 2026-01-10T18:21:59+00:00'

/** A number that was sent must not pass for the milliseconds that a timestamp becomes. */
const readMoment = (sent: unknown) => (typeof sent === 'string' ? parseTimestamp(sent.trim()) : undefined)

/** A moment, in milliseconds since 1970, sent as an RFC 3339 timestamp. */
export const moment = kind<number>(
  'Moment',
  { type: 'string', format: 'date-time' },
  {
    read: readMoment,
    fault: value => (typeof value === 'number' ? undefined : TIMESTAMP),
  },
)

/** A moment, or null for never. */
export const momentOrNever = kind<number | null>(
  'MomentOrNever',
  { type: ['string', 'null'], format: 'date-time' },
  {
    isBlank: sent => sent !== null && isBlank(sent),
    read: sent => (sent === null ? null : readMoment(sent)),
    fault: value =>
      value === null || typeof value === 'number' ? undefined : `${TIMESTAMP}, or null for never`,
  },
)
