import { isIP, isIPv6 } from 'node:net'
import type { TSchema } from '@sinclair/typebox'
import { hostOf } from '../base/address.ts'
import { parseField } from '../validation/field.ts'
import { currencyField } from '../validation/fields.ts'
import { accountEmailField, emailField, lineField, passwordField } from '../validation/textFields.ts'
import { OptionError } from './errors.ts'

/** Parses the text of an option. */
export type Parse<T> = (text: string) => T | OptionError

const NAME_LENGTH = 64
const MAX_PORT = 65_535
const MAX_BACKUPS = 10_000
const MIN_JOURNAL_DAYS = 7
const MAX_JOURNAL_DAYS = 3650
const MINUTES_PER_HOUR = 60

/** Accepts one of a few words. */
export const oneOf =
  <const W extends string>(...words: readonly W[]): Parse<W> =>
  text =>
    words.find(word => word === text) ??
    new OptionError(`must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)

export const nonBlank =
  (what: string): Parse<string> =>
  text =>
    text.trim() === '' || text.includes('\0') ? new OptionError(`must be ${what}`) : text

const integer =
  (least: number, most: number): Parse<number> =>
  text =>
    /^(0|[1-9]\d{0,8})$/.test(text) && Number(text) >= least && Number(text) <= most
      ? Number(text)
      : new OptionError(`must be a whole number from ${least} to ${most}`)

export const port = integer(0, MAX_PORT)
/** A port that is known before the server listens. */
export const publicPort = integer(1, MAX_PORT)
export const backupCount = integer(1, MAX_BACKUPS)
export const journalDays = integer(MIN_JOURNAL_DAYS, MAX_JOURNAL_DAYS)

/** Checks text by the rules of a field, so that the API's rules apply here too. */
const fieldText =
  (schema: TSchema): Parse<string> =>
  text => {
    const { value, error } = parseField(schema, text)
    return error === undefined ? String(value) : new OptionError(error)
  }

export const name = fieldText(lineField({ maxLength: NAME_LENGTH }))
export const currency = fieldText(currencyField({}))
export const email = fieldText(emailField({}))
export const accountEmail = fieldText(accountEmailField({}))
export const password = fieldText(passwordField({}))

const HOST_NAME = /^(?!-)[\w-]{1,63}(?<!-)(?:\.(?!-)[\w-]{1,63}(?<!-))*$/i

/** Accepts an IP address or a host name to listen on. */
export const host: Parse<string> = text =>
  isHost(text) ? text : new OptionError('must be an IP address or a host name to listen on')

function isHost(text: string): boolean {
  if (isIP(text) !== 0) return !text.includes('%')
  // URL parses a name that ends in a number as an IPv4 address, which may be short or out of range ("1.2", "256.0.0.1")
  return HOST_NAME.test(text) && URL.parse(`http://${text}`)?.hostname === text.toLowerCase()
}

/** Returns the origin of a host and port, such as `http://[::1]:3000`. */
export const originOf = (scheme: 'http' | 'https', hostName: string, portNumber: number) =>
  new URL(`${scheme}://${isIPv6(hostName) ? `[${hostName}]` : hostName}:${portNumber}`).origin

/** Accepts an absolute http or https URL without a path. */
export const baseUrl: Parse<string> = text => {
  const isQuotable = !text.includes('@') // it may contain a password
  const url = /^https?:\/\/[^/?#\\]/i.test(text) && !/\s/.test(text) ? URL.parse(text) : null
  if (!url || !isHost(hostOf(url)))
    return new OptionError(
      'must be an absolute http or https URL, such as https://jobs.example.com',
      isQuotable,
    )
  if (url.username !== '' || url.password !== '')
    return new OptionError('must not contain a user name or password', false)
  if (/[?#]/.test(text)) return new OptionError('must not contain a query or fragment', isQuotable)
  if (url.pathname !== '/')
    return new OptionError('must not contain a path: the board needs its own host name', isQuotable)
  return url.origin
}

/** Accepts an https URL without credentials. */
export const httpsUrl: Parse<string> = text => {
  const url = /^https:\/\/[^/?#\\]/i.test(text) && !/\s/.test(text) ? URL.parse(text) : null
  if (!url || !isHost(hostOf(url)) || url.hash !== '')
    return new OptionError('must be an https URL', !text.includes('@'))
  if (url.username !== '' || url.password !== '')
    return new OptionError('must not contain a user name or password', false)
  return url.href
}

/** Accepts `*`, or origins that are separated by commas. */
export const origins: Parse<'*' | readonly string[]> = text => {
  if (text === '*') return '*'
  const list = new Set<string>()
  for (const entry of text.split(',')) {
    const origin = baseUrl(entry.trim())
    if (origin instanceof OptionError)
      return new OptionError(
        'must be *, or origins such as https://example.com, separated by commas',
        origin.isQuotable,
      )
    list.add(origin)
  }
  return [...list]
}

/** Accepts a colour as six hexadecimal digits, and returns it in lower case. */
export const colour: Parse<string> = text =>
  /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : new OptionError('must be a colour such as #0d6b5e')

/** Accepts `smtp://` or `smtps://` with a host, and optionally with credentials and a port. */
export const smtpUrl: Parse<string> = text => {
  const url = /^smtps?:\/\/[^/?#\\]/i.test(text) && !/\s/.test(text) ? URL.parse(text) : null
  if (!url || !isHost(hostOf(url))) return new OptionError('must be an smtp:// or smtps:// URL of a host')
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    return new OptionError(
      'must end after the host and port; in a password, write @ / ? # as %40 %2F %3F %23',
    )
  if ((url.username === '') !== (url.password === ''))
    return new OptionError('must contain both a user name and a password, or neither')
  return isEncoded(url.username) && isEncoded(url.password)
    ? text
    : new OptionError('contains a % in its user name or password: write it as %25')
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Parses a time of day (`03:00`) into minutes after midnight. */
export const timeOfDay: Parse<number> = text => {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hours === undefined
    ? new OptionError('must be a time such as 03:00')
    : Number(hours) * MINUTES_PER_HOUR + Number(minutes)
}
