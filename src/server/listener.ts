import type { Server } from 'bun'
import { SECOND } from '../base/clock.ts'
import type { Peers } from '../http/request/context.ts'
import { internalServerError, serviceUnavailable } from '../http/response/errors.ts'

/** In milliseconds, how long running requests may take to finish when the server stops. */
const DRAIN = 10 * SECOND
/** In seconds, how long a connection may be idle. */
const IDLE_TIMEOUT = 30
/** In seconds, Bun's longest idle timeout. */
const MAX_TIMEOUT = 255
/** Disables Bun's own limit, which closes the connection without a message. Ours is checked while the body is read. */
const MAX_BODY_SIZE = Number.MAX_SAFE_INTEGER

export interface Address {
  readonly host: string
  /** With 0, the system chooses a free port. */
  readonly port: number
  readonly tls?: { readonly cert: string; readonly key: string }
}

type Handler = (request: Request) => Response | Promise<Response>

/** A listening server. Until it has a handler, and while it stops, it replies with 503. */
export class Listener implements Peers {
  private readonly server: Server<undefined>
  private handler: Handler = serviceUnavailable

  /** @throws Error if it can't listen on the address */
  constructor({ host, port, tls }: Address) {
    this.server = Bun.serve({
      hostname: host,
      port,
      ...(tls && { tls }),
      // Two servers on the same port would each get half of the requests.
      reusePort: false,
      development: false,
      idleTimeout: IDLE_TIMEOUT,
      maxRequestBodySize: MAX_BODY_SIZE,
      fetch: request => this.handler(request),
      error: internalServerError,
    })
  }

  requestIP(request: Request): ReturnType<Peers['requestIP']> {
    return this.server.requestIP(request)
  }

  isOpen(request: Request): boolean {
    return this.server.requestIP(request) !== null
  }

  holdOpen(request: Request): void {
    this.server.timeout(request, MAX_TIMEOUT)
  }

  get port(): number {
    return this.server.port ?? 0
  }

  serve(handler: Handler): void {
    this.handler = handler
  }

  /** Replies to all further requests with 503. */
  refuse(): void {
    this.handler = serviceUnavailable
  }

  /** Refuses further requests, and waits for the running ones, for a limited time. */
  async drain(): Promise<void> {
    this.refuse()
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, DRAIN)
    await Promise.race([this.server.stop(), late.promise])
    clearTimeout(timer)
    await this.server.stop(true)
  }
}
