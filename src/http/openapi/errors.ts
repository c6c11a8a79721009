import { forbidden, invalid, notFound, type ProblemKind, unauthenticated } from '../../base/problem.ts'

/** An error response in the OpenAPI document. */
interface ErrorResponse {
  /** The name of its component. */
  readonly name: string
  readonly description: string
  /** An example of the message. */
  readonly error: string
  /** An example of the messages for single fields. */
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly headers?: readonly string[]
}

const FIELD_ERRORS = { title: ['is required'], salary: ['must be a whole number'] }

/** The error responses that operations share. There is no 405, because an operation's method is always allowed. */
export const ERROR_RESPONSES: Readonly<
  Record<Exclude<ProblemKind, 'methodNotAllowed'> | 'internal', ErrorResponse>
> = {
  malformed: {
    name: 'BadRequest',
    description:
      "The request can't be read: the body doesn't match its content type, the body or the query is not UTF-8, or the Host header is invalid.",
    error: 'The body is not valid JSON: look at line 1, column 20.',
  },
  unauthenticated: {
    name: 'Unauthorized',
    description: 'The credentials are wrong, or are missing where an account is required.',
    error: unauthenticated().message,
    headers: ['WWW-Authenticate'],
  },
  forbidden: {
    name: 'Forbidden',
    description: "The account doesn't have permission, or a page of another site sent the request.",
    error: forbidden().message,
  },
  notFound: {
    name: 'NotFound',
    description: 'The resource does not exist, or the caller may not see it.',
    error: notFound('job').message,
  },
  conflict: {
    name: 'Conflict',
    description: 'The current state does not allow the request.',
    error: 'The plan "Featured" has 3 jobs. Archive it instead.',
  },
  gone: {
    name: 'Gone',
    description: 'What is asked for is no longer kept.',
    error: 'These changes are no longer kept.',
  },
  contentTooLarge: {
    name: 'ContentTooLarge',
    description:
      'The body is too large. The limit is 1 MiB, 8 MiB for multipart forms that accept a file, and 16 KiB where no account is required. A form may have up to 1,000 fields.',
    error: 'The body is over 1 MiB, the limit here.',
  },
  unsupportedMediaType: {
    name: 'UnsupportedMediaType',
    description: "The body's content type, charset or content encoding is not supported.",
    error: 'Send the body as application/json, application/x-www-form-urlencoded, multipart/form-data.',
  },
  invalid: {
    name: 'UnprocessableContent',
    description: 'Fields or query values are invalid. `errors` has the messages for each of them.',
    error: invalid(FIELD_ERRORS).message,
    errors: FIELD_ERRORS,
  },
  throttled: {
    name: 'TooManyRequests',
    description:
      'Too many requests or failed sign-ins from this address, or too many requests by this account.',
    error: 'Too many failed sign-ins from this address. Please wait a little.',
    headers: ['Retry-After'],
  },
  internal: {
    name: 'InternalServerError',
    description: 'An internal error. The log has its cause under the request id.',
    error:
      'Something went wrong on our side. If you report it, mention request 5f0c1b8e-7a52-4c7e-9c39-0d8f6f3f4c11.',
  },
  busy: {
    name: 'ServiceUnavailable',
    description:
      'The board is starting or stopping, or is too busy right now with passwords, uploads, images or large responses.',
    error: 'The board is starting or stopping. Please try again.',
    headers: ['Retry-After'],
  },
  full: {
    name: 'InsufficientStorage',
    description: 'The disk is full, and nothing was stored. Reading still works.',
    error: 'The disk is full: nothing was stored. Free some space, then try again.',
  },
}
export type ErrorKind = keyof typeof ERROR_RESPONSES
