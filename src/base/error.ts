/** Returns the code of a system error, such as `ENOENT`; undefined for other errors. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Returns the message of an error, or any other thrown value as text. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Returns an error with its stack. */
export const errorStack = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

/** Turns the error that a file is missing into undefined. @throws any other error */
export function unlessMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
}
