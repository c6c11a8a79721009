import { Kind, Type, TypeRegistry, type SchemaOptions, type TSchema, type TUnsafe } from '@sinclair/typebox'

import { parseTimestamp } from './clock.ts'
import { isCurrency } from './currency.ts'
import { PASSWORD_LENGTH, passwordFault } from './password.ts'
import { codePoints, hasControl, hasNul } from './text.ts'

/** The fault of a field that is needed and not there, or blank. */
export const REQUIRED = 'is required'

/**
 * One kind of field: how what was sent becomes a value, and what may be wrong with it. Registered with TypeBox under its
 * name, so that a schema made of kinds checks, types and documents itself.
 */
interface FieldKind {
  /** @param form whether it was sent as text, in a form, where JSON has types */
  read(sent: unknown, form: boolean): unknown
  /** What is wrong with a value, as the end of a sentence that begins with the field's name. */
  fault(value: unknown, schema: TSchema): string | undefined
}

const KINDS = new Map<string, FieldKind>()

/** Defines a kind. The maker it gives takes what a schema of that kind says beside it. */
function kind<T, O extends SchemaOptions = SchemaOptions>(name: string, type: SchemaOptions, field: FieldKind) {
  KINDS.set(name, field)
  TypeRegistry.Set<TSchema>(name, (schema, value) => field.fault(value, schema) === undefined)
  return (options: O): TUnsafe<T> => ({ ...Type.Unsafe<T>({ ...type, ...options }), [Kind]: name })
}

/** Reads a field and tells its fault, by the kind of its schema. */
export function readField(schema: TSchema, sent: unknown, form: boolean): { value: unknown; fault?: string } {
  const field = KINDS.get(schema[Kind])
  if (!field) throw new Error(`${schema[Kind]} is no kind of field`)
  const value = field.read(sent, form)
  const fault = field.fault(value, schema)
  return fault === undefined ? { value } : { value, fault }
}

const asSent = (sent: unknown) => sent
const trimmed = (sent: unknown) => (typeof sent === 'string' ? sent.trim() : sent)
const isBlank = (value: unknown) => value === undefined || value === null || value === ''

const UNTYPABLE = 'has a character that is not allowed (NUL, or half of a surrogate pair)'

function textFault(value: unknown, schema: TSchema): string | undefined {
  if (isBlank(value)) return REQUIRED
  if (typeof value !== 'string') return 'must be text'
  if (hasNul(value) || !value.isWellFormed()) return UNTYPABLE
  const length = codePoints(value)
  return length > schema['maxLength']
    ? `is too long: at most ${schema['maxLength']} characters, and it has ${length}`
    : undefined
}

function lineFault(value: unknown, schema: TSchema): string | undefined {
  return (
    textFault(value, schema) ??
    (hasControl(String(value)) ? 'must be one line, without control characters' : undefined)
  )
}

interface TextOptions extends SchemaOptions {
  /** In Unicode code points. */
  maxLength: number
}

/** Text on one line; white space around it is not kept. */
export const line = kind<string, TextOptions>('Line', { type: 'string', minLength: 1 }, { read: trimmed, fault: lineFault })

/** What somebody looks for: any text, but not none. */
export const searchText = kind<string, TextOptions>('SearchText', { type: 'string' }, { read: trimmed, fault: textFault })

/** Text of many lines, kept as it was sent. */
export const prose = kind<string, TextOptions>(
  'Prose',
  { type: 'string', minLength: 1 },
  {
    read: asSent,
    fault: (value, schema) =>
      typeof value === 'string' && value.trim() === '' ? REQUIRED : textFault(value, schema),
  },
)

const URL_LENGTH = 2048

/** An absolute http or https URL. */
export const webAddress = kind<string>(
  'WebAddress',
  { type: 'string', format: 'uri', maxLength: URL_LENGTH },
  {
    read: trimmed,
    fault: (value, schema) => lineFault(value, schema) ?? (isWebAddress(value) ? undefined : NO_WEB_ADDRESS),
  },
)

const NO_WEB_ADDRESS = 'must be an absolute http or https URL, such as https://example.com/jobs'

const isWebAddress = (value: unknown) =>
  typeof value === 'string' && /^https?:\/\/[^\s/?#\\]/i.test(value) && !/\s/.test(value) && URL.canParse(value)

const EMAIL_LENGTH = 254
const EMAIL =
  /^[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?)*$/u

const emailFault = (value: unknown, schema: TSchema) =>
  lineFault(value, schema) ??
  (EMAIL.test(String(value)) ? undefined : 'must be an e-mail address, such as jobs@example.com')

const EMAIL_SCHEMA = { type: 'string', format: 'email', maxLength: EMAIL_LENGTH }

/** An e-mail address, without a name or angle brackets. */
export const emailAddress = kind<string>('EmailAddress', EMAIL_SCHEMA, { read: trimmed, fault: emailFault })

/** An e-mail address that somebody is known by: kept in lower case. */
export const accountAddress = kind<string>('AccountAddress', EMAIL_SCHEMA, {
  read: sent => (typeof sent === 'string' ? sent.trim().toLowerCase() : sent),
  fault: emailFault,
})

/** A password that somebody chooses. Kept as it was typed. */
export const newPassword = kind<string>(
  'NewPassword',
  { type: 'string', format: 'password', minLength: PASSWORD_LENGTH },
  { read: asSent, fault: passwordFault },
)

/** One of a few words. */
export const choice = <const W extends string>(words: readonly W[], options: SchemaOptions = {}) =>
  choiceKind({ ...options, enum: [...words] }) as TUnsafe<W> // the words are the type, which a kind can't know

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
  { type: 'string', pattern: '^[A-Z]{3}$' },
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

/** Digits become the number they write, in JSON too. */
const wholeFromText = (sent: unknown) => (typeof sent === 'string' && WHOLE.test(sent) ? Number(sent) : sent)

function wholeFault(value: unknown, { minimum, maximum }: TSchema): string | undefined {
  if (isBlank(value)) return REQUIRED
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'must be a whole number'
  return value < minimum || value > maximum ? `must be from ${minimum} to ${maximum}` : undefined
}

/** A whole number. */
export const whole = kind<number, WholeOptions>('Whole', { type: 'integer' }, { read: wholeFromText, fault: wholeFault })

/** The id of something. Whether there is such a thing is for the rules to say. */
export const id = (options: SchemaOptions = {}) => whole({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...options })

/** A whole number, or none: an empty text or null. */
export const wholeOrNone = kind<number | null, WholeOptions>(
  'WholeOrNone',
  { type: ['integer', 'null'] } as SchemaOptions,
  {
    read: sent => (trimmed(sent) === '' ? null : wholeFromText(sent)),
    fault: (value, schema) => (value === null ? undefined : wholeFault(value, schema)),
  },
)

const FLAGS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['off', false],
])

/** Yes or no. */
export const flag = kind<boolean>(
  'Flag',
  { type: 'boolean' },
  {
    read: (sent, form) => (form ? (FLAGS.get(trimmed(sent)) ?? sent) : sent),
    fault: value => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  },
)

/** A moment, in milliseconds since 1970, sent as an RFC 3339 timestamp; null is never. */
export const momentOrNever = kind<number | null>(
  'MomentOrNever',
  { type: ['string', 'null'], format: 'date-time' } as SchemaOptions,
  {
    // a number would be taken for the milliseconds that timestamps become
    read: sent => (sent === null ? null : (parseTimestamp(String(sent).trim()) ?? String(sent))),
    fault: value =>
      value === null || typeof value === 'number'
        ? undefined
        : 'must be an RFC 3339 timestamp, such as 2026-01-10T18:21:59+00:00, or null for never',
  },
)
