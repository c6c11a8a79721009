import type { RequestContext } from '../request/context.ts'
import type { Cors } from './cors.ts'
import { type Body, EncodedBody } from './encodedBody.ts'
import { matchesETag, preferredEncoding } from './negotiation.ts'
import { Reply } from './reply.ts'
import type { UnreadBodies } from './unreadBodies.ts'

const NOT_MODIFIED = 304

/** On everything that goes out. */
export const ALWAYS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  vary: 'Authorization, Accept-Encoding, Origin',
  'x-content-type-options': 'nosniff',
}
/** Bytes that Bun (1.4.5) gathers of an answer, its headers included, before it sends. */
const GATHERED = 12 * 1024
/** Bytes; a larger body takes longer to send than the pieces cost, and as a stream it would be copied. */
const STREAMED_AT_MOST = 2 ** 20
/** The lifetime of what has a name that changes with its content: no copy of it goes stale. */
export const FOR_EVER = 'public, max-age=31536000, immutable'
const PUBLIC = 'no-cache'
const PRIVATE = 'private, no-store'

export const REQUEST_ID = 'x-request-id'

/** What is known of a body. */
interface About {
  readonly etag?: string | undefined
  readonly type?: string
  readonly encoding?: string
  readonly isCached?: boolean
}

/** Makes the response out of what a route gave: tag, condition, encoding and headers, the same for all. */
export class Answers {
  // a Response takes headers that are made already several times faster than names and values
  private readonly common = new Map<string | undefined, Headers>()

  constructor(
    private readonly cors: Cors,
    private readonly unread: UnreadBodies,
  ) {}

  /** @param value a `Response`, a `Reply`, or a value that becomes JSON */
  answer(context: RequestContext, value: unknown): Response | Promise<Response> {
    if (value instanceof Response) return this.dress(context, value)
    const reply = value instanceof Reply ? value : new Reply(value)
    if (reply.body === undefined) return this.respond(context, reply, null)
    return this.send(
      context,
      reply,
      reply.body instanceof EncodedBody ? reply.body : EncodedBody.json(reply.body),
    )
  }

  private send(context: RequestContext, reply: Reply, rendered: EncodedBody): Response | Promise<Response> {
    const { headers } = context.request
    const etag = context.isRead && reply.status === 200 ? rendered.etag : undefined
    if (etag !== undefined && matchesETag(headers.get('if-none-match'), etag))
      return this.respond(context, new Reply(undefined, NOT_MODIFIED, reply.headers), null, { etag })
    const encoding = rendered.isWorthCompressing
      ? preferredEncoding(headers.get('accept-encoding'))
      : undefined
    const { type, isCached, size } = rendered
    if (encoding === undefined)
      return this.respond(context, reply, rendered.asShared, { etag, type, isCached })
    const form = rendered.encodedAs(encoding)
    const about = { etag, type, encoding, isCached }
    if (!(form instanceof Promise)) return this.respond(context, reply, form, about)
    context.isLate = true
    this.unread.add(context, rendered, size, isCached)
    return form.then(body => this.respond(context, reply, body, about))
  }

  private respond(
    context: RequestContext,
    { status, headers: further }: Reply,
    body: Body | null,
    { etag, type, encoding, isCached = false }: About = {},
  ): Response {
    const isPublic = context.isRead && !context.isPrivate
    const headers = this.commonTo(isPublic ? PUBLIC : PRIVATE, type, this.cors.allowedOrigin(context))
    // what nearly all have, each its own: a Response copies its headers, and to reach into that copy takes longer
    if (etag === undefined) headers.delete('etag')
    else headers.set('etag', etag)
    headers.set(REQUEST_ID, context.id)
    const sent = inOnePiece(context, body)
    // a stream has a copy of its own
    if (body) this.unread.add(context, sent === body ? body : {}, sizeOf(body), isCached && sent === body)
    const response = new Response(sent, { status, headers })
    if (encoding !== undefined) response.headers.set('content-encoding', encoding)
    for (const name in further) response.headers.set(name, further[name] ?? '')
    return response
  }

  /** The headers that answers of a sort have in common. There are few sorts: no word in them is a client's. */
  private commonTo(lifetime: string, type: string | undefined, readers: string | undefined): Headers {
    // what nearly all are, by a name that is there already
    const sort = lifetime === PUBLIC && readers === '*' ? type : `${lifetime}\n${type}\n${readers}`
    const known = this.common.get(sort)
    if (known) return known
    const common = new Headers({ ...ALWAYS, 'cache-control': lifetime })
    if (type !== undefined) common.set('content-type', type)
    this.cors.setHeaders(readers, common)
    this.common.set(sort, common)
    return common
  }

  /** A response that a route made whole, a file's say, gets what is on everything, unless it says otherwise. */
  private dress(context: RequestContext, response: Response): Response {
    const { headers } = response
    for (const [name, value] of Object.entries(ALWAYS)) if (!headers.has(name)) headers.set(name, value)
    this.cors.setHeaders(this.cors.allowedOrigin(context), headers)
    headers.set(REQUEST_ID, context.id)
    return response
  }
}

/**
 * The body as a stream, if Bun (1.4.5) would send a whole one in dozens of pieces: it gathers the headers of an answer that
 * comes late only where all of it fits into the buffer that it gathers in (its issue 41341). Each piece is a call to the
 * system, all of them four times what the rest of a search takes.
 */
export function inOnePiece({ isLate }: RequestContext, body: Body | null): Bun.BodyInit | null {
  const size = body ? sizeOf(body) : 0
  if (!isLate || size < GATHERED || size > STREAMED_AT_MOST) return body as Bun.BodyInit | null
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(body instanceof Blob ? await body.bytes() : body)
      controller.close()
    },
  })
}

const sizeOf = (body: Body) => (body instanceof Blob ? body.size : body.length)
