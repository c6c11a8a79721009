import { type FieldErrors, Problem, type ProblemKind } from '../../base/problem.ts'
import type { Log } from '../log.ts'
import { COMMON_HEADERS, REQUEST_ID } from './encoder.ts'
import { Reply } from './reply.ts'

/** The HTTP status of each kind of problem, and of whatever else is thrown. */
export const STATUS = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
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

export const NOT_FOUND = STATUS.notFound
/** Pages alone say that a job was there once. To programs it is not found. */
export const GONE = 410

/** An error, in the one shape that all have. */
export class ErrorReply extends Reply {
  constructor(
    override readonly body: { readonly error: string; readonly errors?: FieldErrors },
    status: number,
    headers?: Readonly<Record<string, string>>,
  ) {
    super(body, status, headers)
  }
}

/** Makes error replies, with the headers that belong to them. */
export class ErrorReplies {
  private readonly challenge: string

  /** @param realm the board's name, which browsers show when they ask for a password */
  constructor(
    realm: string,
    private readonly log: Log,
  ) {
    // a header holds ASCII, and a quoted string no quotes
    const plain = realm.replaceAll(/[^ -~]|["\\]/g, '').trim()
    this.challenge = `Basic realm="${plain || 'Corkboard'}", charset="UTF-8"`
  }

  /** The reply to what was thrown. An error of our own is logged, and its reply says only how to find it in the log. */
  of(error: unknown, requestId: string): ErrorReply {
    if (error instanceof Problem) return this.ofProblem(error)
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.log.error('a request failed', { id: requestId, cause })
    const message = `Something went wrong on our side. Ask for request ${requestId}.`
    return new ErrorReply({ error: message }, STATUS.internal)
  }

  private ofProblem(problem: Problem): ErrorReply {
    const { kind, message, details } = problem
    const { errors, retryAfter, allow } = details
    const headers = {
      ...(kind === 'unauthenticated' && { 'www-authenticate': this.challenge }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(allow && { allow: allow.join(', ') }),
    }
    return new ErrorReply({ error: message, ...(errors && { errors }) }, httpStatusOf(problem), headers)
  }
}

const RETRY_AFTER = '2'

/** The response of a server without a board: it is starting, or stopping. */
export const serviceUnavailable = () =>
  plainError(STATUS.busy, 'The board is starting or stopping. Please try again.', {
    'retry-after': RETRY_AFTER,
  })

/** The response where even the pipeline failed. */
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
