import { errorStack } from '../../base/error.ts'
import { type FieldErrors, Problem, type ProblemKind } from '../../base/problem.ts'
import type { Log } from '../log.ts'
import { COMMON_HEADERS, REQUEST_ID } from './headers.ts'
import { Reply } from './reply.ts'

/** The HTTP status of each kind of problem, and of any other error (`internal`). */
export const STATUS = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  gone: 410,
  contentTooLarge: 413,
  unsupportedMediaType: 415,
  invalid: 422,
  throttled: 429,
  internal: 500,
  busy: 503,
  full: 507,
} as const satisfies Record<ProblemKind | 'internal', number>
export type ErrorStatus = (typeof STATUS)[keyof typeof STATUS]
export const httpStatusOf = ({ kind }: Problem) => STATUS[kind]

/** The status of an operation that was undone because another one failed. */
export const FAILED_DEPENDENCY = 424

export const NOT_FOUND = STATUS.notFound
export const INVALID = STATUS.invalid
/** The status of an expired job's page. Programs get 404. */
export const GONE = STATUS.gone

/** An error response. All errors have this shape. */
export class ErrorReply extends Reply {
  constructor(
    override readonly body: {
      readonly error: string
      readonly errors?: FieldErrors
    },
    status: number,
    headers?: Readonly<Record<string, string>>,
  ) {
    super(body, status, headers)
  }
}

/** Creates error replies with their headers. */
export class ErrorReplies {
  private readonly challenge: string

  /** @param realm the board's name, which browsers show when they ask for a password */
  constructor(
    realm: string,
    private readonly log: Log,
  ) {
    // Only printable ASCII is safe in a header, and a quote would end the quoted string.
    const plain = realm.replaceAll(/[^ -~]|["\\]/g, '').trim()
    this.challenge = `Basic realm="${plain || 'Corkboard'}", charset="UTF-8"`
  }

  /** Returns the reply to an error. An internal error is logged, and its reply contains only the request id. */
  of(error: unknown, requestId: string): ErrorReply {
    if (error instanceof Problem) return this.ofProblem(error)
    const cause = errorStack(error)
    this.log.error('a request failed', { id: requestId, cause })
    const message = `Something went wrong on our side. If you report it, mention request ${requestId}.`
    return new ErrorReply({ error: message }, STATUS.internal)
  }

  private ofProblem(problem: Problem): ErrorReply {
    const { kind, message, details } = problem
    const { errors, retryAfter, allow, figures } = details
    const headers = {
      ...(kind === 'unauthenticated' && { 'www-authenticate': this.challenge }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(allow && { allow: allow.join(', ') }),
    }
    const body = { error: message, ...(errors && { errors }), ...figures }
    return new ErrorReply(body, httpStatusOf(problem), headers)
  }
}

const RETRY_AFTER = '2'

/** Returns the response while the board is starting or stopping. */
export const serviceUnavailable = () =>
  plainError(STATUS.busy, 'The board is starting or stopping. Please try again.', {
    'retry-after': RETRY_AFTER,
  })

/** Returns the response to an error outside the pipeline. */
export const internalServerError = () => plainError(STATUS.internal, 'Something went wrong on our side.')

const plainError = (status: number, error: string, headers: Record<string, string> = {}) =>
  Response.json(
    { error },
    {
      status,
      headers: {
        ...COMMON_HEADERS,
        ...headers,
        'cache-control': 'no-store',
        [REQUEST_ID]: crypto.randomUUID(),
      },
    },
  )
