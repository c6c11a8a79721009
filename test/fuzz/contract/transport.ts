import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { createApp } from '../../../src/server/app.ts'
import type { TestBoard } from '../../helpers/board.ts'
import { listen, RawConnection } from '../../helpers/rawConnection.ts'
import { headerOf, type Raw } from '../request.ts'

/** An answer, however it came. */
export interface Answer {
  readonly status: number
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** As it is without a coding. */
  readonly body: Buffer
}

/** Milliseconds after which the server may have closed a connection that nobody used. */
const KEPT_FOR = 10_000

/** Brings requests to a board, some by a socket. */
export class Transport {
  private readonly app: { handle(request: Request): Promise<Response> }
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

  /** Sends a request without a socket, unless it is one that `Request` can't be. */
  async send(raw: Raw): Promise<Answer | undefined> {
    const request = requestOf(raw)
    if (!request) return this.sendByWire(raw)
    const response = await this.app.handle(request)
    // it is the server that leaves it out
    const body = raw.method === 'HEAD' ? Buffer.alloc(0) : Buffer.from(await response.arrayBuffer())
    return decoded(response.status, new Map(response.headers), body)
  }

  /**
   * Sends a request byte for byte, on a connection that is kept for as long as the server keeps it. No answer is that it
   * was closed.
   */
  async sendByWire(raw: Raw): Promise<Answer | undefined> {
    const { method } = raw
    const isChunked = headerOf(raw, 'transfer-encoding') !== undefined
    if (performance.now() - this.usedAt > KEPT_FOR) this.hangUp()
    this.usedAt = performance.now()
    this.wire ??= await RawConnection.open(this.listener.port)
    this.wire.say(linesOf(raw), isChunked ? chunked(raw.body) : raw.body)
    try {
      const { status, headers: told, body: text } = await this.wire.hear({ head: method === 'HEAD' })
      if (told.get('connection') === 'close' || isMisframed(raw)) this.hangUp()
      return decoded(status, told, Buffer.from(text, 'latin1'))
    } catch {
      this.hangUp()
      return undefined
    }
  }

  /** Sends a request whose body does not come to its end, and hangs up. */
  async breakOff(raw: Raw): Promise<void> {
    const wire = await RawConnection.open(this.listener.port)
    wire.say(linesOf(raw), raw.body)
    await Bun.sleep(2)
    wire.close()
  }

  private hangUp() {
    this.wire?.close()
    this.wire = undefined
  }
}

/** Whether what comes after the request would be taken for another. */
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

/** A body in pieces, each with its length before it. */
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

/** What `Request` would make other headers, another path or another verb of is for the wire. */
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

function decoded(status: number, headers: ReadonlyMap<string, string>, body: Buffer): Answer {
  const coding = body.length === 0 ? undefined : headers.get('content-encoding')
  if (coding === 'gzip') return { status, headers, body: gunzipSync(body) }
  if (coding === 'zstd') return { status, headers, body: zstdDecompressSync(body) }
  return { status, headers, body }
}
