import type { Cors } from './cors.ts'
import type { Exchange } from './exchange.ts'
import { encodingFor, matches } from './negotiate.ts'
import { Rendered } from './rendered.ts'
import { Reply } from './reply.ts'

const NOT_MODIFIED = 304

/** On everything that goes out. */
const ALWAYS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  vary: 'Authorization, Accept-Encoding, Origin',
  'x-content-type-options': 'nosniff',
}
const PUBLIC = 'no-cache'
const PRIVATE = 'private, no-store'

const REQUEST_ID = 'x-request-id'
const JSON_TYPE = 'application/json'

/** Makes the response out of what a route gave: tag, condition, encoding and headers, the same for all. */
export class Answers {
  constructor(private readonly cors: Cors) {}

  /** @param value a `Response`, a `Reply`, or a value that becomes JSON */
  answer(exchange: Exchange, value: unknown): Response | Promise<Response> {
    if (value instanceof Response) return this.dress(exchange, value)
    const reply = value instanceof Reply ? value : new Reply(value)
    if (reply.body === undefined) return this.respond(exchange, reply, null, {})
    const body = reply.body instanceof Rendered ? reply.body : Rendered.json(reply.body)
    return this.send(exchange, reply, body)
  }

  private send(exchange: Exchange, reply: Reply, body: Rendered): Response | Promise<Response> {
    const { headers } = exchange.request
    const isTagged = exchange.isRead && reply.status === 200
    const described = { 'content-type': JSON_TYPE, ...(isTagged && { etag: body.etag }) }
    if (isTagged && matches(headers.get('if-none-match'), body.etag))
      return this.respond(exchange, new Reply(undefined, NOT_MODIFIED, reply.headers), null, {
        etag: body.etag,
      })
    const encoding = body.isWorthCompressing ? encodingFor(headers.get('accept-encoding')) : undefined
    if (!encoding) return this.respond(exchange, reply, body.bytes, described)
    const encoded = { ...described, 'content-encoding': encoding }
    const bytes = body.in(encoding)
    return bytes instanceof Uint8Array
      ? this.respond(exchange, reply, bytes, encoded)
      : bytes.then(later => this.respond(exchange, reply, later, encoded))
  }

  private respond(
    exchange: Exchange,
    { status, headers }: Reply,
    body: Uint8Array | null,
    described: Record<string, string>,
  ): Response {
    const isPublic = exchange.isRead && !exchange.isPrivate
    return new Response(body as Bun.BodyInit | null, {
      status,
      headers: {
        ...ALWAYS,
        ...this.cors.headers(exchange),
        'cache-control': isPublic ? PUBLIC : PRIVATE,
        ...described,
        ...headers,
        [REQUEST_ID]: exchange.id,
      },
    })
  }

  /** A response that a route made whole, a file's say, gets what is on everything, unless it says otherwise. */
  private dress(exchange: Exchange, response: Response): Response {
    const all = { ...ALWAYS, ...this.cors.headers(exchange), [REQUEST_ID]: exchange.id }
    for (const [name, value] of Object.entries(all))
      if (!response.headers.has(name)) response.headers.set(name, value)
    return response
  }
}
