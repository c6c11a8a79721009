import { PRIVATE } from './headers.ts'

type Headers = Readonly<Record<string, string>>

/**
 * The result of a route: a body with a status and headers. The pipeline adds what all responses have in common.
 * @template T the type of the body, even if the body is already encoded
 */
export class Reply<T = unknown, S extends number = number> {
  /** These two names tell Elysia's types what a route returns. They do not exist at run time. */
  declare readonly response: T
  declare readonly code: S

  /** @param body a value that becomes JSON, an encoded body, a stream whose type is in the headers, or undefined for none */
  constructor(
    readonly body: unknown,
    readonly status: number = 200,
    readonly headers: Headers = {},
  ) {}
}

/** A reply that is not part of the API, such as a page or its style sheet: typed clients don't see it. */
export type HiddenReply = Reply<never, 200>

/** Returns 201 with the URL of the new resource. */
export const created = <T>(location: string, body: T) => new Reply<T, 201>(body, 201, { location })

/** Returns 202: the work is done later. */
export const accepted = (message: string) => new Reply<{ message: string }, 202>({ message }, 202)

export const REDIRECT = 302

/** Returns a redirect to another address. */
export const redirect = (location: string, headers: Headers) =>
  new Reply<undefined, typeof REDIRECT>(undefined, REDIRECT, { ...headers, location })

const SEE_OTHER = 303

/** Sends a browser to another page after a form. @param location a path of this board */
export const seeOther = (location: string, headers: Headers = {}) =>
  new Reply<never, 200>(undefined, SEE_OTHER, { 'cache-control': PRIVATE, ...headers, location })

/** The headers of a list, or of a page of one. */
export const listHeaders = (total: number, link: string | undefined): Headers => ({
  'x-total-count': String(total),
  ...(link !== undefined && { link }),
})
