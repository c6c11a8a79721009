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
import { type ErrorBody, MessageBody } from './openapi/responseSchemas.ts'
import type { PathParams } from './paths.ts'
import type { RequestContext } from './request/context.ts'
import type { ErrorStatus } from './response/errors.ts'

/** The groups of the reference, in its order. */
export const TAGS = {
  Jobs: 'List, search, read and post jobs.',
  Categories: 'Categories of jobs. Deleting a category deletes its jobs too.',
  Terms: 'Employment terms, such as full-time. Deleting a term deletes its jobs too.',
  Plans: 'What a posting costs, how long it stays, and how it stands out.',
  Users: 'Accounts, registration and password resets.',
  Subscribers: 'Job alerts by e-mail, sent to confirmed addresses only.',
  Analytics: 'Page views and where they came from, without tracking anybody.',
  Images: 'Logos, and preview images of jobs for social networks.',
  Board: 'The health of the board, and its description.',
}
export type Tag = keyof typeof TAGS

/** Headers that some responses have; those that all have are not listed. */
export type HeaderName = 'Location' | 'Link' | 'X-Total-Count' | 'X-Search' | 'X-Search-Corrected'

export interface ResponseDescription<S extends TSchema = TSchema> {
  readonly description: string
  readonly schema: S
  readonly headers?: readonly HeaderName[]
  /** The content type, where it is not JSON. */
  readonly type?: string
  /** Whether browsers get an HTML page instead. */
  readonly page?: boolean
  /** In place of the schema's own examples. */
  readonly example?: unknown
}

/** Who may use a route. */
export type Access = 'public' | 'user' | 'admin'

/** What a request must be to reach a route's handler. */
export interface RouteRules {
  /** Denied to all others, before anything of the request is read. */
  readonly access: Access
  /** The access that this very request needs, where a value of its query asks for more. */
  readonly accessFor?: (context: RequestContext) => Access
  /** How many requests are taken from one network in a minute, administrators excepted. */
  readonly perMinute?: number
  /** How many requests that succeed are taken from one account in a minute, administrators excepted. */
  readonly perAccount?: number
  /** Throws if the caller may not send this request at all. Called before the body is read. */
  readonly requires?: (context: RequestContext & { readonly params: PathParams }) => unknown
  readonly query?: TObject
  readonly body?: TObject
  /** Whether fields that are not sent keep their values. */
  readonly isPatch?: boolean
  /** A field of the body that is a file, in a multipart form. */
  readonly file?: FileField
}

/** A route of the interface: its rules, and what clients are told of it. Responses that follow from the rules are not repeated. */
export interface RouteDescription extends RouteRules {
  /** Verb and noun: the name of the method that generated clients call. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  /** What accounts get in addition. */
  readonly forAccounts?: string
  readonly responses: Readonly<Record<number, ResponseDescription>>
  /** Errors of this route alone, and what the usual ones mean here. */
  readonly errors?: Partial<Readonly<Record<ProblemKind, string>>>
  /** False where a write stores nothing. */
  readonly writes?: boolean
}

export interface FileField {
  readonly name: string
  readonly types: readonly string[]
  readonly description: string
}

/** The schemas of a route as Elysia's types know them: handlers are checked by them, and so are Eden's clients. */
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
  : RequestFields<B['properties'], null>) &
  (D['file'] extends FileField ? { [N in D['file']['name']]?: File | string | null } : unknown)

/** The fields as clients send them: one with a default may be left out, or sent as `Blank`. */
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

/** A sentence for a person, with an example. */
export const messageResponse = (message: string, description: string) => ({
  schema: MessageBody,
  description,
  example: { message },
})

/** The same for links in mails, which browsers get as a page. */
export const messagePageResponse = (message: string, description: string) => ({
  ...messageResponse(message, description),
  page: true,
})

export const fileResponse = (type: string, description: string) => ({
  schema: Type.Unsafe<Blob>({ type: 'string', format: 'binary' }),
  description,
  type,
})
