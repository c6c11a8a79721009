import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { Kind } from '../base/problem.ts'
import { Message } from './shown.ts'

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

/** Puts what a route says of itself beside it: `{ needs: 'user', ...operation({ … }) }`. */
export const operation = <const D extends Description>(description: D) => ({
  detail: { [OPERATION]: description },
})

export const OPERATION = 'x-operation'

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
export const told = (message: string, description = 'It is done.') => ({
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
