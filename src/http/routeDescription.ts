import {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from '@sinclair/typebox'
import type { ProblemKind } from '../base/problem.ts'
import type { Scope } from '../base/scopes.ts'
import { type ErrorBody, MessageBody } from './openapi/responseSchemas.ts'
import type { PathParams } from './paths.ts'
import type { RequestContext } from './request/context.ts'
import type { UploadRules } from './request/upload.ts'
import type { ErrorStatus } from './response/errors.ts'
import type { Tag } from './tags.ts'

/** The headers that only some responses have. */
export type HeaderName =
  | 'Content-Disposition'
  | 'Location'
  | 'Link'
  | 'X-Total-Count'
  | 'X-Search'
  | 'X-Search-Corrected'
  | 'X-Change-Seq'
  | 'X-Unchanged'

export interface ResponseDescription<S extends TSchema = TSchema> {
  readonly description: string
  /** The schema of the body. Undefined means that there is none. */
  readonly schema: S
  readonly headers?: readonly HeaderName[]
  /** The content type, unless it is JSON. */
  readonly type?: string
  /** Whether it is created for each request, so that clients can't ask whether it has changed. */
  readonly isDownload?: boolean
  /** Whether browsers get an HTML page instead. */
  readonly page?: boolean
  /** Replaces the schema's own example. */
  readonly example?: unknown
}

/** Who may use a route. */
export type Access = 'public' | 'user' | 'admin'

/** The requirements that a request must meet to reach a route's handler. */
export interface RouteRules {
  /** Who may use the route. All others are refused before the query or the body is read. */
  readonly access: Access
  /** Returns the access that this request needs, if a value in its query requires more than `access`. */
  readonly accessFor?: (context: RequestContext) => Access
  /**
   * What an access token must be allowed to do to use the route; null for nothing. By default, `admin` for routes for
   * administrators, `jobs:read` or `jobs:write` for those that need an account, and null for public ones.
   */
  readonly scope?: Scope | null | ((context: RequestContext & { readonly params: PathParams }) => Scope)
  /** The maximum number of requests from one network in a minute. Administrators have no limit. */
  readonly perNetwork?: number
  /** The maximum number of successful requests by one account in a minute. Administrators have no limit. */
  readonly perAccount?: number
  /** Throws if the caller may not send this request at all. Called before the body is read. */
  readonly requires?: (context: RequestContext & { readonly params: PathParams }) => unknown
  readonly query?: TObject
  readonly body?: TObject
  /** The schema of a body with `draft: true`, which requires less. */
  readonly draft?: TObject
  /** Whether the body has many records: it may be large, and must be JSON. */
  readonly isLarge?: boolean
  /** Whether the body is a patch: fields that are not sent keep their values. */
  readonly isPatch?: boolean
  /** The field of a multipart form that is a file. */
  readonly file?: FileField
  /** The messages in which webhooks send what the route returns. */
  readonly webhook?: WebhookDescription
  /** The file that the handler reads from the body. The query can also be sent as fields of its form. */
  readonly upload?: UploadRules & { readonly description: string }
}

/** A message that the board sends to other programs. */
export interface WebhookDescription {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly schema: TObject
}

/** A route of the API: its rules and its documentation. Responses that follow from the rules are added to the others. */
export interface RouteDescription extends RouteRules {
  /** The operation id, a verb and a noun. Generated clients use it as the name of a method. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  /** The additional description for requests with an account. */
  readonly forAccounts?: string
  readonly responses: Readonly<Record<number, ResponseDescription>>
  /** The descriptions of errors that only this route has, or that mean something specific here. */
  readonly errors?: Partial<Readonly<Record<ProblemKind, string>>>
  /** Whether a request that is repeated with the same `Idempotency-Key` gets the same response. */
  readonly isIdempotent?: boolean
  /** False if a POST, PUT or DELETE stores nothing. */
  readonly writes?: boolean
}

export interface FileField {
  readonly name: string
  readonly types: readonly string[]
  readonly description: string
}

/** The schemas of a route in Elysia's types, which check the handler and Eden clients. */
export type Hook<D extends RouteDescription> = {
  readonly response: ResponsesOf<D['responses']>
} & (D['body'] extends TObject ? { readonly body: TUnsafe<BodyOf<D['body'], D>> } : unknown) &
  (D['query'] extends TObject
    ? { readonly query: TUnsafe<RequestFields<D['query']['properties']>> }
    : unknown)

type ResponsesOf<A extends RouteDescription['responses']> = {
  [S in keyof A]: A[S] extends ResponseDescription<infer T> ? TUnsafe<Static<T>> : never
} & Record<ErrorStatus, typeof ErrorBody>

type BodyOf<B extends TObject, D extends RouteDescription> = (D['isPatch'] extends true
  ? Partial<RequestFields<B['properties'], null>>
  : RequestFields<B['properties'], null> | DraftOf<D>) &
  (D['file'] extends FileField ? { [N in D['file']['name']]?: File | string | null } : unknown)

type DraftOf<D extends RouteDescription> = D['draft'] extends TObject
  ? RequestFields<D['draft']['properties'], null> & { readonly draft: true }
  : never

/** The fields as clients send them. A field that is optional or has a default may be missing, or sent as `Blank`. */
type RequestFields<P extends TProperties, Blank = never> = {
  [N in Exclude<keyof P, OptionalFields<P>>]: Static<P[N]>
} & {
  [N in OptionalFields<P>]?: Static<P[N]> | Blank
}

type OptionalFields<P extends TProperties> = {
  [N in keyof P]: P[N] extends TOptional<TSchema> | { default: unknown } ? N : never
}[keyof P]

export const itemResponse = <S extends TSchema>(schema: S, description: string) => ({ schema, description })

export const createdResponse = <S extends TSchema>(schema: S, description: string) => ({
  schema,
  description,
  headers: ['Location'] as const,
})

export const listResponse = <S extends TSchema>(
  schema: S,
  description: string,
  headers: readonly HeaderName[] = [],
) => ({
  schema: Type.Array(schema),
  description,
  headers: ['X-Total-Count', 'Link', ...headers] as const,
})

/** Describes a response with a message for people. @param message an example */
export const messageResponse = (message: string, description: string) => ({
  schema: MessageBody,
  description,
  example: { message },
})

/** Describes the response to a link in a mail: a message for programs, a page for browsers. @param message an example */
export const messagePageResponse = (message: string, description: string) => ({
  ...messageResponse(message, description),
  page: true,
})

/** Describes a redirect, which has no body. */
export const redirectResponse = (description: string) => ({
  schema: Type.Undefined(),
  description,
  headers: ['Location'] as const,
})

/** Describes a file that is created for each request. */
export const downloadResponse = (type: string, description: string) => ({
  ...fileResponse(type, description),
  headers: ['Content-Disposition'] as const,
  isDownload: true,
})

export const fileResponse = (type: string, description: string) => ({
  schema: Type.Unsafe<Blob>({ type: 'string', format: 'binary' }),
  description,
  type,
})
