import { andThen, type Later } from '../../base/later.ts'
import type { RequestContext } from '../request/context.ts'
import type { Cors } from './cors.ts'
import { type Body, EncodedBody } from './encodedBody.ts'
import { COMMON_HEADERS, PRIVATE, REQUEST_ID, REVALIDATE } from './headers.ts'
import { matchesETag, preferredEncoding } from './negotiation.ts'
import { Reply } from './reply.ts'
import type { UnreadBodies } from './unreadBodies.ts'

const NOT_MODIFIED = 304

/** In bytes, including headers. Bun (1.4.5) sends an asynchronous response at once if it fits into this buffer. */
const BUN_SEND_BUFFER = 12 * 1024
/** In bytes. With a larger body, the cost of many chunks is small compared to sending it, and a stream would copy it. */
const MAX_STREAMED_SIZE = 2 ** 20

/** Turns replies into responses, with ETag and 304, compression, common headers and CORS. */
export class ResponseEncoder {
  // Creating a Response from existing Headers is several times faster than from names and values.
  private readonly common = new Map<string | undefined, Headers>()

  /** @param unread limits the memory for bodies that clients are slow to read */
  constructor(
    private readonly cors: Cors,
    private readonly unread: UnreadBodies,
  ) {}

  /** Encodes a reply. @throws Problem 'busy' if too many bytes are already being sent */
  encode(context: RequestContext, reply: Reply): Later<Response> {
    if (reply.body === undefined || reply.body instanceof ReadableStream)
      return this.response(context, reply, reply.body)
    const body = reply.body instanceof EncodedBody ? reply.body : EncodedBody.json(reply.body)
    const etag = reply.status === 200 && context.isRead ? body.etag : undefined
    if (etag !== undefined && matchesETag(context.header('if-none-match'), etag))
      return this.response(context, notModified(etag, reply.headers))
    const encoding = body.isCompressible ? preferredEncoding(context.header('accept-encoding')) : undefined
    if (encoding === undefined)
      return this.respond(context, reply, body, context.isAsync ? body.body : body.shared)
    const encoded = { ...reply.headers, 'content-encoding': encoding }
    const compressed = body.compressed(encoding)
    const respond = (bytes: Body) =>
      this.respond(context, new Reply(undefined, reply.status, encoded), body, bytes)
    if (!(compressed instanceof Promise)) return respond(compressed)
    // During the compression, the uncompressed body is in memory too.
    this.unread.add(context, body, body.size, body.isCached)
    context.isAsync = true
    return compressed.then(bytes => {
      this.unread.remove(context, body)
      return respond(bytes)
    })
  }

  private respond(context: RequestContext, reply: Reply, { etag, type, isCached }: EncodedBody, bytes: Body) {
    const tag = reply.status === 200 && context.isRead ? etag : undefined
    if (context.method === 'HEAD')
      return this.response(context, withLength(reply, sizeOf(bytes)), null, type, tag)
    const sent = context.isAsync ? asSingleChunk(bytes) : (bytes as Bun.BodyInit)
    // A stream has its own copy of the body.
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
    // These are set before the Response copies the headers, because changing the copy is slower.
    if (etag === undefined) headers.delete('etag')
    else headers.set('etag', etag)
    headers.set(REQUEST_ID, context.id)
    const response = new Response(body, { status, headers })
    for (const name in own) response.headers.set(name, own[name] ?? '')
    return response
  }

  /** Returns the headers that many responses share. There are few such sets, because none depends on a client's input. */
  private commonHeaders(lifetime: string, type: string | undefined, origin: string | undefined): Headers {
    // For nearly all responses, this avoids creating a new string.
    const key = lifetime === REVALIDATE && origin === '*' ? type : `${lifetime}\n${type}\n${origin}`
    const cached = this.common.get(key)
    if (cached) return cached
    const headers = new Headers({ ...COMMON_HEADERS, 'cache-control': lifetime })
    if (type !== undefined) headers.set('content-type', type)
    this.cors.setHeaders(origin, headers)
    this.common.set(key, headers)
    return headers
  }
}

/** Returns a 304 reply: the client's copy is current. */
export const notModified = (etag: string, headers: Readonly<Record<string, string>>) =>
  new Reply<never, 200>(undefined, NOT_MODIFIED, { ...headers, etag })

/** Returns the reply to a HEAD request, with the length that the body would have. */
const withLength = ({ status, headers }: Reply, length: number) =>
  new Reply(undefined, status, { ...headers, 'content-length': String(length) })

/**
 * Turns a body into a stream if Bun (1.4.5) would otherwise send it in dozens of chunks, as it does with an asynchronous
 * response that doesn't fit into its buffer (Bun issue 41341). Each chunk is a system call, and together they take four
 * times as long as the rest of a search.
 */
function asSingleChunk(body: Body): Bun.BodyInit {
  const size = sizeOf(body)
  if (size < BUN_SEND_BUFFER || size > MAX_STREAMED_SIZE) return body as Bun.BodyInit
  return new ReadableStream({
    // Bytes are enqueued at once, because waiting takes longer than copying them.
    start: controller =>
      andThen(body instanceof Blob ? body.bytes() : body, bytes => {
        controller.enqueue(bytes)
        controller.close()
      }),
  })
}

const sizeOf = (body: Body) => (body instanceof Blob ? body.size : body.length)
