import type { ProblemKind } from '../../base/problem.ts'

/** A refusal that an operation may give: what it is called, when it is given, what it says, and what comes with it. */
interface ErrorResponse {
  readonly name: string
  readonly description: string
  readonly error: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly headers?: readonly string[]
}

/** Of every kind but `methodNotAllowed`, since an operation is a verb that its path knows. */
export const ERROR_RESPONSES: Readonly<
  Record<Exclude<ProblemKind, 'methodNotAllowed'> | 'internal', ErrorResponse>
> = {
  malformed: {
    name: 'BadRequest',
    description:
      'The request can not be read: its body is not what its content type says, or body or query are not UTF-8, or its Host header names no host.',
    error: 'The body is not valid JSON: it ends at line 1, column 20, where more was expected.',
  },
  unauthenticated: {
    name: 'Unauthorized',
    description: 'The credentials are wrong, or there are none where an account is needed.',
    error: 'Invalid Email or password.',
    headers: ['WWW-Authenticate'],
  },
  forbidden: {
    name: 'Forbidden',
    description: "This account may not do this, or another site's page sent the request.",
    error: 'This account may not do this.',
  },
  notFound: {
    name: 'NotFound',
    description: 'There is no such thing, or none that the caller may know of.',
    error: 'There is no such job.',
  },
  conflict: {
    name: 'Conflict',
    description: 'The state of things forbids it.',
    error: 'The plan "Featured" has 3 jobs on it: archive it instead.',
  },
  contentTooLarge: {
    name: 'ContentTooLarge',
    description:
      'The body is too large: over 1 MiB, 8 MiB in a multipart form where a file is taken, or 16 KiB where no account is needed; or it has over 1,000 form fields.',
    error: 'The body is over 1 MiB, the most that is accepted here.',
  },
  unsupportedMediaType: {
    name: 'UnsupportedMediaType',
    description: 'The body has a content type, a charset or an encoding that is not read.',
    error: 'Send the body as application/json, application/x-www-form-urlencoded, multipart/form-data.',
  },
  invalid: {
    name: 'UnprocessableContent',
    description: 'Fields or query values are at fault: each is named, with what is wrong with it.',
    error: 'Please mend: title, salary.',
    errors: { title: ['is required'], salary: ['must be a whole number'] },
  },
  throttled: {
    name: 'TooManyRequests',
    description: 'Too many requests, or too many failed sign-ins, came from this address.',
    error: 'Too many failed sign-ins from this address. Please wait a little.',
    headers: ['Retry-After'],
  },
  internal: {
    name: 'InternalServerError',
    description: 'A fault of the board. It is logged with its cause.',
    error: 'Something went wrong on our side. Ask for request 5f0c1b8e-7a52-4c7e-9c39-0d8f6f3f4c11.',
  },
  busy: {
    name: 'ServiceUnavailable',
    description:
      'The board starts or stops, or is too busy just now: with passwords, uploads, images, or answers that nobody reads.',
    error: 'The board is starting or stopping. Please try again.',
    headers: ['Retry-After'],
  },
  full: {
    name: 'InsufficientStorage',
    description: 'The disk is full: nothing was stored. Reading goes on.',
    error: 'The disk is full: nothing was stored. Free some space, then try again.',
  },
}
export type ErrorKind = keyof typeof ERROR_RESPONSES
