import type { SchemaOptions, TSchema } from '@sinclair/typebox'
import { parseTimestamp } from '../base/clock.ts'
import { CURRENCIES, isCurrency } from '../base/currency.ts'
import { isBlank } from '../base/text.ts'
import { defineField, type Field, REQUIRED, trimmed } from './field.ts'

/** Defines a field whose value is one of the given words. */
export const enumField = <const W extends string, const P extends SchemaOptions>(
  words: readonly W[],
  options: P,
) => stringEnumField({ ...options, enum: [...words] }) as Field<W, P> // the words are the type, which the definition can't know

const stringEnumField = defineField<string, SchemaOptions & { enum: string[] }>(
  { type: 'string' },
  {
    parse: trimmed,
    error: (value, schema) =>
      schema['enum'].includes(value) ? undefined : `must be one of ${schema['enum'].join(', ')}`,
  },
)

/** An ISO 4217 code. It may be sent in any case, and becomes upper case. */
export const currencyField = defineField<string>(
  { type: 'string', enum: CURRENCIES },
  {
    parse: input => (typeof input === 'string' ? input.trim().toUpperCase() : input),
    error: value =>
      typeof value === 'string' && isCurrency(value)
        ? undefined
        : 'must be the ISO 4217 code of a currency in use, such as USD',
  },
)

interface IntegerOptions extends SchemaOptions {
  minimum: number
  maximum: number
}

const INTEGER = /^\s*[+-]?\d+\s*$/

/** Converts digits to a number, in JSON too. A number that is too large becomes the largest one. */
const parseInteger = (input: unknown) =>
  typeof input === 'string' && INTEGER.test(input)
    ? Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(input)))
    : input

function integerError(value: unknown, { minimum, maximum }: TSchema): string | undefined {
  if (isBlank(value)) return REQUIRED
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'must be a whole number'
  return value < minimum || value > maximum ? `must be from ${minimum} to ${maximum}` : undefined
}

/** A whole number. */
export const integerField = defineField<number, IntegerOptions>(
  { type: 'integer', format: 'int64' },
  { parse: parseInteger, error: integerError },
)

/** Defines the id of a record. The rules check whether the record exists. */
export const idField = (options: SchemaOptions) =>
  integerField({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...options })

/** A whole number, or null, which may be sent as blank text. */
export const nullableIntegerField = defineField<number | null, IntegerOptions>(
  { type: ['integer', 'null'], format: 'int64' },
  {
    isBlank: () => false,
    parse: input => (trimmed(input) === '' ? null : parseInteger(input)),
    error: (value, schema) => (value === null ? undefined : integerError(value, schema)),
  },
)

const BOOLEANS = new Map<string, boolean>([
  ['true', true],
  ['1', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['off', false],
])

/** Converts text in any case to a boolean: Python writes `True`. */
const parseBoolean = (input: unknown) =>
  typeof input === 'string' ? (BOOLEANS.get(input.trim().toLowerCase()) ?? input) : input

export const booleanField = defineField<boolean>(
  { type: 'boolean' },
  {
    parse: parseBoolean,
    error: value =>
      isBlank(value) ? REQUIRED : typeof value === 'boolean' ? undefined : 'must be true or false',
  },
)

const TIMESTAMP = 'must be an RFC 3339 timestamp, such as 2026-01-10T18:21:59+00:00'

/** Converts a timestamp to milliseconds. A number isn't accepted, because it could be meant as seconds. */
const parseMoment = (input: unknown) => (typeof input === 'string' ? parseTimestamp(input.trim()) : undefined)

/** A moment in milliseconds since 1970, sent as an RFC 3339 timestamp. */
export const timestampField = defineField<number>(
  { type: 'string', format: 'date-time' },
  {
    parse: parseMoment,
    error: value => (typeof value === 'number' ? undefined : TIMESTAMP),
  },
)

/** A moment, or null for none. */
export const nullableTimestampField = defineField<number | null>(
  { type: ['string', 'null'], format: 'date-time' },
  {
    isBlank: input => input !== null && isBlank(input),
    parse: input => (input === null ? null : parseMoment(input)),
    error: value => (value === null || typeof value === 'number' ? undefined : `${TIMESTAMP}, or null`),
  },
)
