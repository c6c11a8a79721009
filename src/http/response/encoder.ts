import { andThen, type Later } from '../../base/later.ts'
import type { RequestContext } from '../request/context.ts'
import type { Cors } from './cors.ts'
import { areBytes, type Body, EncodedBody, type Encoding, sizeOf } from './encodedBody.ts'
import { COMMON_HEADERS, PRIVATE, REQUEST_ID, REVALIDATE } from './headers.ts'
import { matchesETag, preferredEncoding } from './negotiation.ts'
import { Reply } from './reply.ts'
import type { UnreadBodies } from './unreadBodies.ts'

const NOT_MODIFIED = 304

/** In bytes, including headers. Bun (1.4.5) sends an asynchronous response at once if it fits into this buffer. */
const BUN_SEND_BUFFER = 12 * 1024
/** In bytes. With a larger body, the cost of many chunks is small compared to sending it, and a stream would copy it. */
const MAX_STREAMED_SIZE = 2 ** 20

/** A body in the encoding in which it is sent. */
type Sendable = Pick<EncodedBody, 'size' | 'pieces' | 'shared'>

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
    if (encoding === undefined) return this.respond(context, reply, body, body)
    const respond = (bytes: Body) =>
      this.respond(
        context,
        new Reply(undefined, reply.status, { ...reply.headers, 'content-encoding': encoding }),
        body,
        { size: sizeOf([bytes]), pieces: [bytes], shared: bytes },
      )
    const compressed = body.compressedNow(encoding)
    return compressed ? respond(compressed) : this.compress(context, body, encoding).then(respond)
  }

  /** Compresses a body. Until that is done, the uncompressed one is in memory too, even if the client is gone. */
  private async compress(context: RequestContext, body: EncodedBody, encoding: Encoding): Promise<Body> {
    this.unread.add(context, body, body.size, body.isCached)
    context.isAsync = true
    context.isCompressing = true
    try {
      return await body.compressed(encoding)
    } finally {
      context.isCompressing = false
      this.unread.remove(context, body)
    }
  }

  private respond(
    context: RequestContext,
    reply: Reply,
    { etag, type, isCached }: EncodedBody,
    sent: Sendable,
  ): Response {
    const tag = reply.status === 200 && context.isRead ? etag : undefined
    if (context.method === 'HEAD')
      return this.response(context, withLength(reply, sent.size), null, type, tag)
    if (context.isAsync && isStreamed(sent.size)) {
      // A stream has its own copy of the body.
      this.unread.add(context, {}, sent.size, false)
      return this.response(context, reply, streamOf(sent.pieces), type, tag)
    }
    this.unread.add(context, sent.shared, sent.size, isCached)
    return this.response(context, reply, sent.shared as Bun.BodyInit, type, tag)
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
 * Whether an asynchronous response needs a stream. Bun (1.4.5) would otherwise send it in dozens of chunks, if it doesn't fit
 * into its buffer (Bun issue 41341). Each chunk is a system call, and together they take four times as long as the rest of a
 * search.
 */
const isStreamed = (size: number) => size >= BUN_SEND_BUFFER && size <= MAX_STREAMED_SIZE

/** Returns a stream that copies the pieces straight into the response, which Bun sends with few system calls. */
const streamOf = (pieces: readonly Body[]) =>
  new ReadableStream({
    type: 'direct',
    pull: controller =>
      andThen(bytesOf(pieces), all => {
        for (const bytes of all) void controller.write(bytes)
        controller.close()
      }),
  })

const bytesOf = (pieces: readonly Body[]): Later<readonly Uint8Array[]> =>
  areBytes(pieces) ? pieces : new Blob([...pieces]).bytes().then(bytes => [bytes])
