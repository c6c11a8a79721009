import type { Later } from '../../base/later.ts'
import type { RequestContext } from '../request/context.ts'
import type { Cors } from './cors.ts'
import { type Body, EncodedBody } from './encodedBody.ts'
import { matchesETag, preferredEncoding } from './negotiation.ts'
import { Reply } from './reply.ts'
import type { UnreadBodies } from './unreadBodies.ts'

const NOT_MODIFIED = 304

/** On every response. */
export const COMMON_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  vary: 'Authorization, Accept-Encoding, Origin',
  'x-content-type-options': 'nosniff',
}
/** The `Cache-Control` of what has a name that changes with its content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'
/** The `Cache-Control` of what is for one caller. */
export const PRIVATE = 'private, no-store'

export const REQUEST_ID = 'x-request-id'

/** In bytes: what Bun (1.4.5) gathers of an asynchronous response, its headers included, before it sends. */
const BUN_SEND_BUFFER = 12 * 1024
/** In bytes: to send a larger body takes longer than the pieces cost, and a stream would copy it. */
const MAX_STREAMED_SIZE = 2 ** 20

/** Turns replies into responses, all in the same way: ETag and 304, compression, common headers, CORS. */
export class ResponseEncoder {
  // a Response takes existing Headers several times faster than names and values
  private readonly common = new Map<string | undefined, Headers>()

  /** @param unread bounds the memory of bodies that clients are slow to read */
  constructor(
    private readonly cors: Cors,
    private readonly unread: UnreadBodies,
  ) {}

  /** @throws Problem 'busy' if too much is being sent already */
  encode(context: RequestContext, reply: Reply): Later<Response> {
    if (reply.body === undefined) return this.response(context, reply)
    const body = reply.body instanceof EncodedBody ? reply.body : EncodedBody.json(reply.body)
    const etag = reply.status === 200 && context.isRead ? body.etag : undefined
    if (etag !== undefined && matchesETag(context.header('if-none-match'), etag))
      return this.response(context, notModified(etag, reply.headers))
    const encoding = body.isCompressible ? preferredEncoding(context.header('accept-encoding')) : undefined
    if (encoding === undefined) return this.respond(context, reply, body, body.shared)
    const encoded = { ...reply.headers, 'content-encoding': encoding }
    const compressed = body.compressed(encoding)
    const respond = (bytes: Body) =>
      this.respond(context, new Reply(undefined, reply.status, encoded), body, bytes)
    if (!(compressed instanceof Promise)) return respond(compressed)
    // the uncompressed body is in memory as long as the compression takes
    this.unread.add(context, body, body.size, body.isCached)
    context.isAsync = true
    return compressed.then(respond)
  }

  private respond(context: RequestContext, reply: Reply, { etag, type, isCached }: EncodedBody, bytes: Body) {
    const tag = reply.status === 200 && context.isRead ? etag : undefined
    if (context.method === 'HEAD')
      return this.response(context, withLength(reply, sizeOf(bytes)), null, type, tag)
    const sent = context.isAsync ? asSingleChunk(bytes) : (bytes as Bun.BodyInit)
    // a stream has a copy of its own
    const isShared = sent === bytes
    this.unread.add(context, isShared ? bytes : {}, sizeOf(bytes), isCached && isShared)
    return this.response(context, reply, sent, type, tag)
  }

  private response(
    context: RequestContext,
    { status, headers: own }: Reply,
    body: Bun.BodyInit | null = null,
    type?: string,
    etag?: string,
  ): Response {
    const lifetime = context.isRead && !context.isPrivate ? REVALIDATE : PRIVATE
    const headers = this.commonHeaders(lifetime, type, this.cors.allowedOrigin(context))
    // set here, before the Response copies its headers: to change the copy takes longer
    if (etag === undefined) headers.delete('etag')
    else headers.set('etag', etag)
    headers.set(REQUEST_ID, context.id)
    const response = new Response(body, { status, headers })
    for (const name in own) response.headers.set(name, own[name] ?? '')
    return response
  }

  /** The headers that many responses have in common. There are few such sets, since nothing in them is a client's. */
  private commonHeaders(lifetime: string, type: string | undefined, origin: string | undefined): Headers {
    // the key of nearly all responses is a string that exists already
    const key = lifetime === REVALIDATE && origin === '*' ? type : `${lifetime}\n${type}\n${origin}`
    const known = this.common.get(key)
    if (known) return known
    const headers = new Headers({ ...COMMON_HEADERS, 'cache-control': lifetime })
    if (type !== undefined) headers.set('content-type', type)
    this.cors.setHeaders(origin, headers)
    this.common.set(key, headers)
    return headers
  }
}

/** 304: what the client has is current. */
export const notModified = (etag: string, headers: Readonly<Record<string, string>>) =>
  new Reply<never, 200>(undefined, NOT_MODIFIED, { ...headers, etag })

/** The reply to a HEAD request says how long the body would be. */
const withLength = ({ status, headers }: Reply, length: number) =>
  new Reply(undefined, status, { ...headers, 'content-length': String(length) })

/**
 * The body as a stream, where Bun (1.4.5) would send it in dozens of pieces: it gathers headers and body of an asynchronous
 * response only if both fit into its buffer (its issue 41341). Each piece is a system call, and all of them take four times
 * as long as the rest of a search.
 */
function asSingleChunk(body: Body): Bun.BodyInit {
  const size = sizeOf(body)
  if (size < BUN_SEND_BUFFER || size > MAX_STREAMED_SIZE) return body as Bun.BodyInit
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(body instanceof Blob ? await body.bytes() : body)
      controller.close()
    },
  })
}

const sizeOf = (body: Body) => (body instanceof Blob ? body.size : body.length)
