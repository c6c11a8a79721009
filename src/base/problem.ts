/** The kinds of problems. Their HTTP statuses are only in `http/response/errors.ts`. */
export type ProblemKind =
  | 'malformed' // The body or the query can't be read.
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'methodNotAllowed' // The path exists, but not with this method.
  | 'gone' // What is asked for is no longer kept.
  | 'conflict' // The current state doesn't allow it.
  | 'contentTooLarge'
  | 'unsupportedMediaType'
  | 'invalid' // Fields or query values are wrong.
  | 'throttled'
  | 'busy'
  | 'full' // The disk is full.

/** The messages for each invalid field, by the field's name. */
export type FieldErrors = Record<string, string[]>

/** The optional details of a problem. */
interface ProblemDetails {
  readonly errors?: FieldErrors
  /** Seconds after which it is worth trying again. */
  readonly retryAfter?: number
  /** Further members of the response, such as the figures that explain the problem. */
  readonly figures?: Readonly<Record<string, unknown>>
  /** The methods that the path allows. */
  readonly allow?: readonly string[]
}

/** An error whose message the caller may see. Any other error is a bug: it is logged and becomes a 500. */
export class Problem extends Error {
  constructor(
    readonly kind: ProblemKind,
    message: string,
    readonly details: ProblemDetails = {},
  ) {
    super(message)
    this.name = 'Problem'
  }
}

export const unauthenticated = () => new Problem('unauthenticated', 'Invalid Email or password.')

export const forbidden = () => new Problem('forbidden', "You don't have permission to do this.")

/** Returns the problem of a missing record. @param what begins the message, such as `job` */
export const notFound = (what: string) =>
  new Problem('notFound', `${what.charAt(0).toUpperCase()}${what.slice(1)} not found.`)

/** Returns a problem that names every invalid field. */
export const invalid = (errors: FieldErrors) =>
  new Problem('invalid', `Please correct: ${Object.keys(errors).join(', ')}.`, { errors })
