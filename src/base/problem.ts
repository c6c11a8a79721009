/** What can be refused. Which HTTP status each becomes stands in `http/errors`, and nowhere else. */
export type ProblemKind =
  | 'malformed' // the body or the query is not what it says it is
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'methodNotAllowed' // the path exists, but not with this method
  | 'conflict' // the state forbids it
  | 'contentTooLarge'
  | 'unsupportedMediaType' // the content type is not one we read
  | 'invalid' // fields or query values at fault
  | 'throttled'
  | 'busy'
  | 'full' // out of disk

/** Messages for each field at fault, by the field's name. */
export type FieldErrors = Record<string, string[]>

/** What a refusal may carry besides its sentence. */
export interface ProblemDetails {
  readonly errors?: FieldErrors
  /** Seconds after which it is worth trying again. */
  readonly retryAfter?: number
  /** The verbs that a path does know. */
  readonly allow?: readonly string[]
}

/** A refusal that the caller may see. Anything else thrown is our fault: 500, logged, never shown. */
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

export const notFound = (what: string) => new Problem('notFound', `There is no such ${what}.`)

/** A refusal that names every field at fault. */
export const invalid = (faults: FieldErrors) =>
  new Problem('invalid', `Please mend: ${Object.keys(faults).join(', ')}.`, { errors: faults })
