import type { Rendered } from './rendered.ts'

/** What a route answers where a bare value does not say enough. */
export class Reply {
  /** @param body a value that becomes JSON, a rendered body, or undefined for none */
  constructor(
    readonly body: unknown,
    readonly status: number = 200,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** A sentence for whoever asked: JSON to a program, and to a person perhaps a page. */
export class Notice extends Reply {
  constructor(
    readonly message: string,
    status: number = 200,
  ) {
    super({ message }, status)
  }
}

/** 201, with where the new thing is to be found. */
export const created = (location: string, body: unknown) => new Reply(body, 201, { location })

/** 202: heard, and done later. */
export const accepted = ({ message }: { message: string }) => new Notice(message, 202)

/** A list, or a page of it, with how many there are in all and where the other pages are. */
export const listed = (body: unknown[] | Rendered, total: number, link: string | undefined) =>
  new Reply(
    body,
    200,
    link === undefined ? { 'x-total-count': String(total) } : { 'x-total-count': String(total), link },
  )
