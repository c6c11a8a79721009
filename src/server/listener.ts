import type { Server } from 'bun'
import { SECOND } from '../base/clock.ts'
import type { Peers } from '../http/request/context.ts'
import { internalServerError, serviceUnavailable } from '../http/response/errors.ts'

/** How long requests that are under way may take to end, in milliseconds. */
const DRAIN = 10 * SECOND
/** Of silence on a connection, in seconds. */
const IDLE_TIMEOUT = 30
/** The longest that Bun knows, in seconds. */
const LONGEST_TIMEOUT = 255
/** Bun's own refusal of a large body has no words, and cuts the connection: ours counts while it reads. */
const BODY_AT_MOST = Number.MAX_SAFE_INTEGER

export interface Address {
  readonly host: string
  /** 0 for a free one. */
  readonly port: number
  readonly tls?: { readonly cert: string; readonly key: string }
}

type Handler = (request: Request) => Response | Promise<Response>

/** A server that listens; until it has something to serve, and while it stops, it says to come back. */
export class Listener implements Peers {
  private readonly server: Server<undefined>
  private handler: Handler = serviceUnavailable

  /** @throws Error if the address can't be had */
  constructor({ host, port, tls }: Address) {
    this.server = Bun.serve({
      hostname: host,
      port,
      ...(tls && { tls }),
      // two servers on one port would each answer half of the requests
      reusePort: false,
      development: false,
      idleTimeout: IDLE_TIMEOUT,
      maxRequestBodySize: BODY_AT_MOST,
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
    this.server.timeout(request, LONGEST_TIMEOUT)
  }

  get port(): number {
    return this.server.port ?? 0
  }

  serve(handler: Handler): void {
    this.handler = handler
  }

  /** Answers everything from now on with 503. */
  refuse(): void {
    this.handler = serviceUnavailable
  }

  /** Takes no more requests, and waits for those under way, but not for ever. */
  async drain(): Promise<void> {
    this.refuse()
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, DRAIN)
    await Promise.race([this.server.stop(), late.promise])
    clearTimeout(timer)
    await this.server.stop(true)
  }
}
