import { codePointLength, hasInvalidCharacters } from './text.ts'

export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_BYTES = 256

/** Returns the error of a new password, such as `is required`; undefined if it is valid. The error never quotes the password. */
export function passwordError(password: unknown): string | undefined {
  if (password === undefined || password === null || password === '') return 'is required'
  if (typeof password !== 'string') return 'must be text'
  if (hasInvalidCharacters(password)) return 'contains an invalid character'
  if (codePointLength(password) < MIN_PASSWORD_LENGTH)
    return `must have at least ${MIN_PASSWORD_LENGTH} characters`
  return isPossiblePassword(password) ? undefined : `may have at most ${MAX_PASSWORD_BYTES} bytes`
}

/** Returns whether a password can be right, judging by its length. No other password needs to be hashed. */
export const isPossiblePassword = (password: string) =>
  password !== '' && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES
