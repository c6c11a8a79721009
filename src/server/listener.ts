import type { Server } from 'bun'
import { SECOND } from '../base/clock.ts'
import { andThen, type Later } from '../base/later.ts'
import type { Peers } from '../http/request/context.ts'
import { internalServerError, serviceUnavailable } from '../http/response/errors.ts'
import type { KeyPair } from '../tls/keyPair.ts'
import { listenAlone } from './exclusivePort.ts'
import { steerToNewerSocket } from './portSteering.ts'

/** In milliseconds, how long running requests may take to finish when the server stops. */
const DRAIN = 10 * SECOND
/** In seconds, how long a connection may be idle. */
const IDLE_TIMEOUT = 30
/** In milliseconds. By then, the idle timeout has closed connections with an old certificate that have no request. */
const RETIREMENT = (IDLE_TIMEOUT + 4) * SECOND
/** In milliseconds, how long a newer certificate waits for that. */
const SHORT_RETIREMENT = 2 * SECOND
/** In seconds, Bun's longest idle timeout. */
const MAX_TIMEOUT = 255
/** Disables Bun's own limit, which closes the connection without a message. Ours is checked while the body is read. */
const MAX_BODY_SIZE = Number.MAX_SAFE_INTEGER

export interface Address {
  readonly host: string
  /** With 0, the system chooses a free port. */
  readonly port: number
  readonly tls?: KeyPair
}

/** Handles the requests of a listener. */
export type Handler = (request: Request) => Later<Response>

/** A server with one certificate. Bun (1.4.5) can't change the certificate of a server. */
interface CertifiedServer {
  readonly server: Server<undefined>
  /** Whether its connections close after their next response. */
  isLeaving: boolean
}

/** A listening server. Until it has a handler, and while it stops, it replies with 503. */
export class Listener implements Peers {
  private current: CertifiedServer
  private handler: Handler = serviceUnavailable
  /** Whether new connections go to a new server while the old one still listens. */
  private isSteered = false
  /** Pending while two servers listen. */
  private retirement: Promise<void> = Promise.resolve()
  private endRetirement = () => {}
  private isStopping = false
  /** The servers with connections. */
  private readonly servers = new Set<Server<undefined>>()

  /**
   * @param retirementTime in milliseconds, how long connections with an old certificate stay open
   * @throws Error if it can't listen on the address
   */
  constructor(
    private readonly address: Address,
    private readonly retirementTime = RETIREMENT,
  ) {
    const { host, port, tls } = address
    this.current = tls ? listenAlone(host, port, () => this.open(port, tls)) : this.open(port)
    if (tls) this.isSteered = steerToNewerSocket(this.port)
  }

  requestIP(request: Request): ReturnType<Peers['requestIP']> {
    return this.current.server.requestIP(request)
  }

  isOpen(request: Request): boolean {
    return this.requestIP(request) !== null
  }

  holdOpen(request: Request): void {
    this.current.server.timeout(request, MAX_TIMEOUT)
  }

  get port(): number {
    return this.current.server.port ?? 0
  }

  serve(handler: Handler): void {
    this.handler = handler
  }

  /** Replies to all further requests with 503. */
  refuse(): void {
    this.handler = serviceUnavailable
  }

  /**
   * Uses a new certificate for new connections. Those with the old one close after their next response, or when they are
   * idle for too long, so that no request is lost.
   * @throws Error if it can't be used; the old one stays
   */
  async useCertificate(tls: KeyPair): Promise<void> {
    // New connections are steered to the second of two servers, so there must not be a third.
    const timer = setTimeout(() => this.endRetirement(), SHORT_RETIREMENT)
    await this.retirement
    clearTimeout(timer)
    if (this.isStopping) return
    const old = this.current
    // Elsewhere, two servers can't share a port.
    if (process.platform !== 'linux') void old.server.stop()
    this.current = this.open(this.port, tls)
    this.retirement = this.retire(old)
  }

  /** Refuses further requests, and waits for the running ones, for a limited time. */
  async drain(): Promise<void> {
    this.refuse()
    this.isStopping = true
    this.endRetirement()
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, DRAIN)
    await Promise.race([this.stop(), late.promise])
    clearTimeout(timer)
    await this.stop(true)
  }

  private async stop(closeActive = false): Promise<void> {
    await Promise.all([...this.servers].map(server => server.stop(closeActive)))
  }

  private open(port: number, tls?: KeyPair): CertifiedServer {
    const server = Bun.serve({
      hostname: this.address.host,
      port,
      ...(tls && { tls: { cert: tls.cert, key: tls.key } }),
      // Without TLS there is nothing to swap, and two boards on the same port would each get half of the requests.
      reusePort: tls !== undefined,
      development: false,
      idleTimeout: IDLE_TIMEOUT,
      maxRequestBodySize: MAX_BODY_SIZE,
      fetch: request => (opened.isLeaving ? andThen(this.handler(request), closing) : this.handler(request)),
      error: internalServerError,
    })
    const opened: CertifiedServer = { server, isLeaving: false }
    this.servers.add(server)
    return opened
  }

  /** Lets a server finish its requests and close its connections, and then stops it. Resolves when it doesn't listen any more. */
  private async retire(old: CertifiedServer): Promise<void> {
    old.isLeaving = true
    if (this.isSteered) {
      const over = Promise.withResolvers<void>()
      const timer = setTimeout(over.resolve, this.retirementTime)
      this.endRetirement = over.resolve
      await over.promise
      clearTimeout(timer)
    }
    void old.server.stop().then(() => this.servers.delete(old.server))
  }
}

/** Makes the connection close after this response. */
function closing(response: Response): Response {
  response.headers.set('connection', 'close')
  return response
}
