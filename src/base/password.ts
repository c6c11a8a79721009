import { codePointLength, hasInvalidCharacters } from './text.ts'

export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_BYTES = 256

/** Returns the error of a new password, to follow the name of the field, or undefined. It never quotes the password. */
export function passwordError(password: unknown): string | undefined {
  if (password === undefined || password === null || password === '') return 'is required'
  if (typeof password !== 'string') return 'must be text'
  if (hasInvalidCharacters(password)) return 'contains an invalid character'
  if (codePointLength(password) < MIN_PASSWORD_LENGTH)
    return `must have at least ${MIN_PASSWORD_LENGTH} characters`
  return isPossiblePassword(password) ? undefined : `may have at most ${MAX_PASSWORD_BYTES} bytes`
}

/** Whether a password has a length that a stored one can have: any other is wrong without hashing it. */
export const isPossiblePassword = (password: string) =>
  password !== '' && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES
