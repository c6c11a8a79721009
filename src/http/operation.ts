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
import type { ErrorStatus } from './response/errors.ts'

/** What operations are sorted by, in the order of the reference. */
export const TAGS = {
  Jobs: 'Postings: to list, search, read and post them.',
  Categories: 'What jobs are sorted by. A category takes its jobs along when it is deleted.',
  Terms: 'Employment terms, such as full-time. A term takes its jobs along when it is deleted.',
  Plans: 'What a posting costs, how long it stays, and how it stands out.',
  Users: 'Accounts, and the ways to one: registration and password resets.',
  Subscribers: 'Job alerts by mail, with an address that was confirmed.',
  Analytics: 'What was read, and where readers came from, without a trace of who they are.',
  Images: 'Logos, and images of jobs to be shown where a link to one is.',
  Board: 'The board itself: its health, this description, and what it lacks.',
}
export type Tag = keyof typeof TAGS

/** Headers of single answers; those that all have are not said. */
export type HeaderName = 'Location' | 'Link' | 'X-Total-Count'

export interface ResponseDescription<S extends TSchema = TSchema> {
  readonly description: string
  readonly schema: S
  readonly headers?: readonly HeaderName[]
  /** What it is where it is no JSON. */
  readonly type?: string
  /** Whether people who follow a link get a page in its place. */
  readonly page?: boolean
  /** Where the schema's own examples say less. */
  readonly example?: unknown
}

/** What a route says of itself. What follows from its path, its verb and its guard is not repeated. */
export interface RouteDescription {
  /** Verb and noun, by which clients call it. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  /** What an account gets beside what everybody gets. */
  readonly forAccounts?: string
  readonly query?: TObject
  readonly body?: TObject
  /** Whether what is not sent keeps its value. */
  readonly isPatch?: boolean
  /** A field of the body that is a file, in a multipart form. */
  readonly file?: FileField
  readonly responses: Readonly<Record<number, ResponseDescription>>
  /** Refusals that are the route's own, and what usual ones mean here. */
  readonly errors?: Partial<Readonly<Record<ProblemKind, string>>>
  /** False where it only looks as if it wrote something. */
  readonly writes?: boolean
}

export interface FileField {
  readonly name: string
  readonly types: readonly string[]
  readonly description: string
}

/**
 * Puts what a route says of itself beside it: `{ needs: 'user', ...operation({ … }) }`. To Elysia's types it is the
 * route's schemas, by which they check what the route answers, and clients what they send. Elysia itself sees none of
 * them, and so reads and checks nothing: that is done by `readFields` and `check`.
 */
export const operation = <const D extends RouteDescription>(description: D) =>
  ({ detail: { [OPERATION]: description } }) as unknown as Hook<D>

export const OPERATION = 'x-operation'

/** Something that has a description beside it, as every route's hook does. */
export interface Described {
  readonly detail: { readonly [OPERATION]: RouteDescription }
}

type Hook<D extends RouteDescription> = {
  readonly detail: { readonly [OPERATION]: D }
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

/** What is to be sent of these fields: what has a default need not be, or may be sent as `Blank`. */
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

export const listResponse = <S extends TSchema>(schema: S, description: string) => ({
  schema: Type.Array(schema),
  description,
  headers: ['X-Total-Count', 'Link'] as const,
})

/** A sentence for a person, an example of which is given. */
export const messageResponse = (message: string, description: string) => ({
  schema: MessageBody,
  description,
  example: { message },
})

/** What somebody is told who followed a link. */
export const messagePageResponse = (message: string, description: string) => ({
  ...messageResponse(message, description),
  page: true,
})

export const fileResponse = (type: string, description: string) => ({
  schema: Type.Unsafe<Blob>({ type: 'string', format: 'binary' }),
  description,
  type,
})
