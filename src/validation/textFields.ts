import type { SchemaOptions, TSchema } from '@sinclair/typebox'
import { MAX_PASSWORD_BYTES, MIN_PASSWORD_LENGTH, passwordError } from '../base/password.ts'
import { SOURCE_NAME } from '../base/scopes.ts'
import { codePointLength, hasControlCharacters, hasInvalidCharacters, isBlank } from '../base/text.ts'
import { defineField, REQUIRED, trimmed, verbatim } from './field.ts'

const INVALID_CHARACTER = 'contains an invalid character (NUL or half of a surrogate pair)'

function textError(value: unknown, schema: TSchema): string | undefined {
  if (isBlank(value)) return REQUIRED
  if (typeof value !== 'string') return 'must be text'
  if (hasInvalidCharacters(value)) return INVALID_CHARACTER
  const length = codePointLength(value)
  return length > schema['maxLength']
    ? `is too long: at most ${schema['maxLength']} characters, and it has ${length}`
    : undefined
}

function lineError(value: unknown, schema: TSchema): string | undefined {
  return (
    textError(value, schema) ??
    (hasControlCharacters(String(value)) ? 'must be one line, without control characters' : undefined)
  )
}

interface TextOptions extends SchemaOptions {
  /** In Unicode code points. */
  maxLength: number
}

const CONTROLS = '\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029'

/** Returns the pattern of text that is not blank and contains none of these characters. */
const patternWithout = (characters: string) => `^[^${characters}]*[^\\s${characters}][^${characters}]*$`

/** Text of one line, without the white space around it. */
export const lineField = defineField<string, TextOptions>(
  { type: 'string', minLength: 1, pattern: patternWithout(CONTROLS) },
  { parse: trimmed, error: lineError },
)

const MAX_NAME_LENGTH = 64

/** Defines the name of a category, term or plan. */
export const nameField = (options: SchemaOptions) =>
  lineField({
    maxLength: MAX_NAME_LENGTH,
    description: 'A single line, unique (case is ignored).',
    ...options,
  })

/** The text of a search, which must not be blank. */
export const searchField = defineField<string, TextOptions>(
  { type: 'string', pattern: '^[^\\u0000]*$' },
  { parse: trimmed, error: textError },
)

/** Text of several lines, stored as it was sent. */
export const textField = defineField<string, TextOptions>(
  { type: 'string', minLength: 1, pattern: patternWithout('\\u0000') },
  { parse: verbatim, error: textError },
)

/** The name of a source of jobs. */
export const sourceField = defineField<string>(
  { type: 'string', pattern: `^${SOURCE_NAME}$` },
  {
    parse: verbatim,
    error: value => (typeof value === 'string' && isSourceName(value) ? undefined : SOURCE_RULE),
  },
)

const SOURCE = new RegExp(`^${SOURCE_NAME}$`)
/** Whether a text can be the name of a source. */
export const isSourceName = (text: string) => SOURCE.test(text)
const SOURCE_RULE = 'must have 1 to 64 characters: a to z, 0 to 9, dots, hyphens and underscores'

const MAX_EXTERNAL_ID_LENGTH = 255

/** The id of a job in its source, as it stands there. */
export const externalIdField = (options: SchemaOptions) =>
  verbatimIdField({ maxLength: MAX_EXTERNAL_ID_LENGTH, ...options })

const verbatimIdField = defineField<string, TextOptions>(
  { type: 'string', minLength: 1, pattern: patternWithout('\\u0000') },
  { parse: input => (Number.isSafeInteger(input) ? String(input) : input), error: textError },
)

const MAX_URL_LENGTH = 2048

/** An absolute http or https URL. */
export const urlField = defineField<string>(
  { type: 'string', format: 'uri', maxLength: MAX_URL_LENGTH, pattern: '^https?://[^\\s/?#\\\\]' },
  {
    parse: trimmed,
    error: (value, schema) => lineError(value, schema) ?? (isHttpUrl(value) ? undefined : NOT_HTTP_URL),
  },
)

const NOT_HTTP_URL = 'must be an absolute http or https URL, such as https://example.com/jobs'

const isHttpUrl = (value: unknown) =>
  typeof value === 'string' &&
  /^https?:\/\/[^\s/?#\\]/i.test(value) &&
  !/\s/.test(value) &&
  URL.canParse(value)

/** The path of a page, which may have a query. */
export const pathField = defineField<string>(
  { type: 'string', pattern: `^/[^${CONTROLS}]*$`, maxLength: MAX_URL_LENGTH },
  {
    parse: trimmed,
    error: (value, schema) =>
      lineError(value, schema) ?? (String(value).startsWith('/') ? undefined : 'must begin with a slash'),
  },
)

/** The page that a visitor came from: a URL with a host, or nothing. Apps have their own schemes. */
export const referrerField = defineField<string>(
  { type: ['string', 'null'], maxLength: MAX_URL_LENGTH, pattern: '^$|^[a-z][a-z0-9+.-]*://[^\\s/?#\\\\]' },
  {
    parse: input => trimmed(input ?? ''),
    error: (value, schema) =>
      value === ''
        ? undefined
        : (lineError(value, schema) ?? (hasHost(value) ? undefined : NOT_ABSOLUTE_URL)),
  },
)

const NOT_ABSOLUTE_URL = 'must be an absolute URL, such as https://example.com/jobs'

const hasHost = (value: unknown) =>
  typeof value === 'string' && /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#\\]/i.test(value) && URL.canParse(value)

/** In characters (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254
const EMAIL =
  /^[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?)*$/u

const emailError = (value: unknown, schema: TSchema) =>
  lineError(value, schema) ??
  (EMAIL.test(String(value)) ? undefined : 'must be an e-mail address, such as jobs@example.com')

/** The ASCII subset of EMAIL, as a pattern that every program supports. */
const PLAIN_EMAIL =
  "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$"

const EMAIL_SCHEMA = { type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH, pattern: PLAIN_EMAIL }

/** An e-mail address, without a name or angle brackets. */
export const emailField = defineField<string>(EMAIL_SCHEMA, {
  parse: trimmed,
  error: emailError,
})

/** An e-mail address that identifies somebody, in lower case. */
export const accountEmailField = defineField<string>(EMAIL_SCHEMA, {
  parse: input => (typeof input === 'string' ? input.trim().toLowerCase() : input),
  error: emailError,
})

/** A new password, exactly as it was typed. */
export const passwordField = defineField<string>(
  {
    type: 'string',
    format: 'password',
    writeOnly: true,
    minLength: MIN_PASSWORD_LENGTH,
    maxLength: MAX_PASSWORD_BYTES,
    // A character takes at most four bytes, one of ASCII takes one.
    pattern: `^([^\\u0000]{${MIN_PASSWORD_LENGTH},${MAX_PASSWORD_BYTES / 4}}|[\\u0001-\\u007F]{${MIN_PASSWORD_LENGTH},${MAX_PASSWORD_BYTES}})$`,
  },
  { parse: verbatim, error: passwordError },
)
