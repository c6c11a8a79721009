import { OptionError } from './errors.ts'
import type { Parse } from './values.ts'

const MIN_TOKEN_LENGTH = 16
const BEARER_TOKEN = /^[\w.~+/-]+=*$/

/** Accepts a token that can be sent as a Bearer token (RFC 6750) and that nobody can guess. */
export const bearerToken: Parse<string> = text =>
  text.length >= MIN_TOKEN_LENGTH && BEARER_TOKEN.test(text)
    ? text
    : new OptionError(
        `must be at least ${MIN_TOKEN_LENGTH} letters, digits or -._~+/ such as "openssl rand -hex 24" prints`,
      )
