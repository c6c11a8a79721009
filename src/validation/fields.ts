import type { SchemaOptions, TSchema } from '@sinclair/typebox'
import { parseTimestamp } from '../base/clock.ts'
import { CURRENCIES, isCurrency } from '../base/currency.ts'
import { isBlank } from '../base/text.ts'
import { defineField, type Field, REQUIRED, trimmed } from './field.ts'

/** One of a few words. */
export const enumField = <const W extends string, const P extends SchemaOptions>(
  words: readonly W[],
  options: P,
) => choiceKind({ ...options, enum: [...words] }) as Field<W, P> // the words are the type, which a kind can't know

const choiceKind = defineField<string, SchemaOptions & { enum: string[] }>(
  'Choice',
  { type: 'string' },
  {
    parse: trimmed,
    error: (value, schema) =>
      schema['enum'].includes(value) ? undefined : `must be one of ${schema['enum'].join(', ')}`,
  },
)

/** An ISO 4217 code; any case comes in, upper case goes out. */
export const currencyField = defineField<string>(
  'CurrencyCode',
  { type: 'string', enum: CURRENCIES },
  {
    parse: fields => (typeof fields === 'string' ? fields.trim().toUpperCase() : fields),
    error: value =>
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
const wholeFromText = (fields: unknown) =>
  typeof fields === 'string' && WHOLE.test(fields)
    ? Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(fields)))
    : fields

function wholeFault(value: unknown, { minimum, maximum }: TSchema): string | undefined {
  if (isBlank(value)) return REQUIRED
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'must be a whole number'
  return value < minimum || value > maximum ? `must be from ${minimum} to ${maximum}` : undefined
}

/** A whole number. */
export const integerField = defineField<number, WholeOptions>(
  'Whole',
  { type: 'integer', format: 'int64' },
  { parse: wholeFromText, error: wholeFault },
)

/** The id of something. Whether there is such a thing is for the rules to say. */
export const idField = (options: SchemaOptions) =>
  integerField({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...options })

/** A whole number, or none: an empty text or null. */
export const nullableIntegerField = defineField<number | null, WholeOptions>(
  'WholeOrNone',
  { type: ['integer', 'null'], format: 'int64' },
  {
    isBlank: () => false,
    parse: fields => (trimmed(fields) === '' ? null : wholeFromText(fields)),
    error: (value, schema) => (value === null ? undefined : wholeFault(value, schema)),
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
const flagFromText = (fields: unknown) =>
  typeof fields === 'string' ? (FLAGS.get(fields.trim().toLowerCase()) ?? fields) : fields

/** Yes or no. */
export const booleanField = defineField<boolean>(
  'Flag',
  { type: 'boolean' },
  {
    parse: flagFromText,
    error: value =>
      isBlank(value) ? REQUIRED : typeof value === 'boolean' ? undefined : 'must be true or false',
  },
)

const TIMESTAMP = 'must be an RFC 3339 timestamp, such as 2026-01-10T18:21:59+00:00'

/** A number that was sent must not pass for the milliseconds that a timestamp becomes. */
const readMoment = (fields: unknown) =>
  typeof fields === 'string' ? parseTimestamp(fields.trim()) : undefined

/** A moment, in milliseconds since 1970, sent as an RFC 3339 timestamp. */
export const timestampField = defineField<number>(
  'Moment',
  { type: 'string', format: 'date-time' },
  {
    parse: readMoment,
    error: value => (typeof value === 'number' ? undefined : TIMESTAMP),
  },
)

/** A moment, or null for never. */
export const nullableTimestampField = defineField<number | null>(
  'MomentOrNever',
  { type: ['string', 'null'], format: 'date-time' },
  {
    isBlank: fields => fields !== null && isBlank(fields),
    parse: fields => (fields === null ? null : readMoment(fields)),
    error: value =>
      value === null || typeof value === 'number' ? undefined : `${TIMESTAMP}, or null for never`,
  },
)
