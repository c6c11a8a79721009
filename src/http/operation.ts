import {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from '@sinclair/typebox'
import type { Kind } from '../base/problem.ts'
import type { ErrorStatus } from './errors.ts'
import { Message, type Refusal } from './shown.ts'

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

export interface Answer<S extends TSchema = TSchema> {
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
export interface Description {
  /** Verb and noun, by which clients call it. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  /** What an account gets beside what everybody gets. */
  readonly toAccounts?: string
  readonly query?: TObject
  readonly body?: TObject
  /** Whether what is not sent keeps its value. */
  readonly patches?: boolean
  /** A field of the body that is a file, in a multipart form. */
  readonly file?: FileField
  readonly answers: Readonly<Record<number, Answer>>
  /** Refusals that are the route's own, and what usual ones mean here. */
  readonly refuses?: Partial<Readonly<Record<Kind, string>>>
  /** False where it only looks as if it wrote something. */
  readonly stores?: boolean
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
export const operation = <const D extends Description>(description: D) =>
  ({ detail: { [OPERATION]: description } }) as unknown as Hook<D>

export const OPERATION = 'x-operation'

/** Something that has a description beside it, as every route's hook does. */
export interface Described {
  readonly detail: { readonly [OPERATION]: Description }
}

type Hook<D extends Description> = {
  readonly detail: { readonly [OPERATION]: D }
  readonly response: ResponsesOf<D['answers']>
} & (D['body'] extends TObject ? { readonly body: TUnsafe<BodyOf<D['body'], D>> } : unknown) &
  (D['query'] extends TObject ? { readonly query: TUnsafe<Sending<D['query']['properties']>> } : unknown)

type ResponsesOf<A extends Description['answers']> = {
  [S in keyof A]: A[S] extends Answer<infer T> ? TUnsafe<Static<T>> : never
} & Record<ErrorStatus, typeof Refusal>

type BodyOf<B extends TObject, D extends Description> = (D['patches'] extends true
  ? Partial<Sending<B['properties'], null>>
  : Sending<B['properties'], null>) &
  (D['file'] extends FileField ? { [N in D['file']['name']]?: File | string | null } : unknown)

/** What is to be sent of these fields: what has a default need not be, or may be sent as `Blank`. */
type Sending<P extends TProperties, Blank = never> = { [N in Exclude<keyof P, Spared<P>>]: Static<P[N]> } & {
  [N in Spared<P>]?: Static<P[N]> | Blank
}

type Spared<P extends TProperties> = {
  [N in keyof P]: P[N] extends TOptional<TSchema> | { default: unknown } ? N : never
}[keyof P]

export const one = <S extends TSchema>(schema: S, description: string) => ({ schema, description })

export const made = <S extends TSchema>(schema: S, description: string) => ({
  schema,
  description,
  headers: ['Location'] as const,
})

export const list = <S extends TSchema>(schema: S, description: string) => ({
  schema: Type.Array(schema),
  description,
  headers: ['X-Total-Count', 'Link'] as const,
})

/** A sentence for a person, an example of which is given. */
export const told = (message: string, description: string) => ({
  schema: Message,
  description,
  example: { message },
})

/** What somebody is told who followed a link. */
export const toldOnPage = (message: string, description: string) => ({
  ...told(message, description),
  page: true,
})

export const file = (type: string, description: string) => ({
  schema: Type.Unsafe<Blob>({ type: 'string', format: 'binary' }),
  description,
  type,
})
