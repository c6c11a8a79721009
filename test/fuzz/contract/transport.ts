import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { createApp } from '../../../src/server/app.ts'
import type { TestBoard } from '../../helpers/board.ts'
import { listen, RawConnection } from '../../helpers/rawConnection.ts'
import { headerOf, type Raw } from '../request.ts'

/** A response, in process or from a socket. */
export interface ReceivedResponse {
  readonly status: number
  /** The headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  /** The decoded body. */
  readonly body: Buffer
}

/** The time after which the server may have closed an unused connection, in milliseconds. */
const KEPT_FOR = 10_000

/** Sends requests to a board, some of them over a socket. */
export class Transport {
  private readonly app: { fetch(request: Request): Response | Promise<Response> }
  private readonly listener: ReturnType<typeof listen>
  private wire: RawConnection | undefined
  private usedAt = 0

  constructor(test: TestBoard) {
    this.app = createApp(test.board)
    this.listener = listen(test)
  }

  async close(): Promise<void> {
    this.wire?.close()
    await this.listener.drain()
  }

  /** Sends a request in process, unless `Request` can't represent it. */
  async send(raw: Raw): Promise<ReceivedResponse | undefined> {
    const request = requestOf(raw)
    if (!request) return this.sendByWire(raw)
    const response = await this.app.fetch(request)
    // the server leaves it out
    const body = raw.method === 'HEAD' ? Buffer.alloc(0) : Buffer.from(await response.arrayBuffer())
    return decoded(response.status, new Map(response.headers), body)
  }

  /**
   * Sends a request byte for byte on a connection that is reused while the server keeps it. Returns undefined if it
   * was closed.
   */
  async sendByWire(raw: Raw): Promise<ReceivedResponse | undefined> {
    const { method } = raw
    const isChunked = headerOf(raw, 'transfer-encoding') !== undefined
    if (performance.now() - this.usedAt > KEPT_FOR) this.hangUp()
    this.usedAt = performance.now()
    this.wire ??= await RawConnection.open(this.listener.port)
    this.wire.send(linesOf(raw), isChunked ? chunked(raw.body) : raw.body)
    try {
      const { status, headers, body: text } = await this.wire.readResponse({ head: method === 'HEAD' })
      if (headers.get('connection') === 'close' || isMisframed(raw)) this.hangUp()
      return decoded(status, headers, Buffer.from(text, 'latin1'))
    } catch {
      this.hangUp()
      return undefined
    }
  }

  /** Sends a request with an incomplete body, and disconnects. */
  async sendIncomplete(raw: Raw): Promise<void> {
    const wire = await RawConnection.open(this.listener.port)
    wire.send(linesOf(raw), raw.body)
    await Bun.sleep(2)
    wire.close()
  }

  private hangUp() {
    this.wire?.close()
    this.wire = undefined
  }
}

/** Returns whether bytes after the request would be parsed as another. */
const isMisframed = (raw: Raw) =>
  Number(headerOf(raw, 'content-length') ?? raw.body?.length) !== raw.body?.length

function linesOf(raw: Raw): string[] {
  const { method, target, headers, body } = raw
  const isLengthy = ['content-length', 'transfer-encoding'].every(name => headerOf(raw, name) === undefined)
  return [
    `${method} ${target} HTTP/1.1`,
    ...(headerOf(raw, 'host') === undefined ? ['host: 127.0.0.1'] : []),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(isLengthy && body ? [`content-length: ${body.length}`] : []),
  ]
}

/** Encodes a body with chunked transfer coding. */
function chunked(body: Uint8Array = new Uint8Array()): Buffer {
  const half = body.length >> 1
  const pieces = [body.subarray(0, half), body.subarray(half), new Uint8Array()]
  const isLast = (at: number) => at === pieces.length - 1
  return Buffer.concat(
    pieces
      .filter((piece, at) => piece.length > 0 || isLast(at))
      .flatMap(piece => [Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
  )
}

/** Returns whether a request must go over a socket, because `Request` would change its headers, path or method. */
function requestOf({ method, target, headers, body }: Raw): Request | undefined {
  const isPlain = /^\/[!$-;=@-Z_a-z~?&%]*$/.test(target) && !/\/\.|\/$|\/\//.test(target)
  if (!isPlain || headers.some(([, value]) => !/^[ -~]*$/.test(value))) return undefined
  if (!['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].includes(method)) return undefined
  if (body && (method === 'GET' || method === 'HEAD')) return undefined
  const all = new Headers()
  for (const [name, value] of headers) all.append(name, value)
  return new Request(`http://127.0.0.1${target}`, {
    method,
    headers: all,
    ...(body && { body: new Uint8Array(body) }),
  })
}

function decoded(status: number, headers: ReadonlyMap<string, string>, body: Buffer): ReceivedResponse {
  const coding = body.length === 0 ? undefined : headers.get('content-encoding')
  if (coding === 'gzip') return { status, headers, body: gunzipSync(body) }
  if (coding === 'zstd') return { status, headers, body: zstdDecompressSync(body) }
  return { status, headers, body }
}
