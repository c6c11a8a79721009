import type { FieldErrors, Problem, ProblemKind } from '../../base/problem.ts'
import { Reply } from './reply.ts'
import { ALWAYS, REQUEST_ID } from './send.ts'

/** Also of a fault of ours, which is no refusal. */
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
/** Only people are told that what they look for was there once; to programs it is missing. */
export const GONE = 410

/** A refusal in the one shape that all have. */
export class ErrorReply extends Reply {
  constructor(
    readonly told: { readonly error: string; readonly errors?: FieldErrors },
    status: number,
    headers?: Readonly<Record<string, string>>,
  ) {
    super(told, status, headers)
  }
}

/** Renders every refusal: the one shape, and the headers that go with it. */
export class ErrorReplies {
  private readonly challenge: string

  /** @param realm the board's name, which the sign-in dialogue shows */
  constructor(realm: string) {
    // a header holds ASCII, and a quoted string no quotes
    const plain = realm.replaceAll(/[^ -~]|["\\]/g, '').trim()
    this.challenge = `Basic realm="${plain || 'Corkboard'}", charset="UTF-8"`
  }

  of(problem: Problem): ErrorReply {
    const { kind, message, details } = problem
    const { errors: faults, retryAfter, allow } = details
    const headers = {
      ...(kind === 'unauthenticated' && { 'www-authenticate': this.challenge }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(allow && { allow: allow.join(', ') }),
    }
    return new ErrorReply(
      { error: message, ...(faults && { errors: faults }) },
      httpStatusOf(problem),
      headers,
    )
  }

  /** What is told of a fault of ours: nothing but how to ask for it. */
  fault(requestId: string): ErrorReply {
    return new ErrorReply(
      { error: `Something went wrong on our side. Ask for request ${requestId}.` },
      STATUS.internal,
    )
  }
}

const RETRY_AFTER = '2'

/** The answer of a server that has no board to serve: it starts, or it stops. */
export const serviceUnavailable = () =>
  apart(STATUS.busy, 'The board is starting or stopping. Please try again.', { 'retry-after': RETRY_AFTER })

/** The answer where even the making of an answer failed. */
export const internalServerError = () => apart(STATUS.internal, 'Something went wrong on our side.')

const apart = (status: number, error: string, headers: Record<string, string> = {}) =>
  Response.json(
    { error },
    {
      status,
      headers: { ...ALWAYS, ...headers, 'cache-control': 'no-store', [REQUEST_ID]: crypto.randomUUID() },
    },
  )
