import type { EncodedBody } from './encodedBody.ts'

/**
 * What a route answers where a bare value does not say enough.
 * @template T what the body is, also where it is rendered already
 */
export class Reply<T = unknown, S extends number = number> {
  /** By these names Elysia's types know what a route answers. At run time they are not there. */
  declare readonly response: T
  declare readonly code: S

  /** @param body a value that becomes JSON, a rendered body, or undefined for none */
  constructor(
    readonly body: unknown,
    readonly status: number = 200,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** What is for people alone: clients that are typed know nothing of it. */
export type HtmlReply = Reply<never, 200>

/** A sentence for whoever asked: JSON to a program, and to a person perhaps a page. */
export class MessageReply<S extends number = 200> extends Reply<{ message: string }, S> {
  constructor(
    readonly message: string,
    status: number = 200,
  ) {
    super({ message }, status)
  }
}

/** 201, with where the new thing is to be found. */
export const created = <T>(location: string, body: T) => new Reply<T, 201>(body, 201, { location })

/** 202: heard, and done later. */
export const accepted = ({ message }: { message: string }) => new MessageReply<202>(message, 202)

/** A list, or a page of it, with how many there are in all and where the other pages are. */
export const listReply = <T>(body: readonly T[] | EncodedBody, total: number, link: string | undefined) =>
  new Reply<T[], 200>(
    body,
    200,
    link === undefined ? { 'x-total-count': String(total) } : { 'x-total-count': String(total), link },
  )
