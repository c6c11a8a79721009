import { ANONYMOUS, type Caller } from '../../base/caller.ts'
import type { Later } from '../../base/later.ts'
import type { PathParams } from '../paths.ts'
import type { Reply } from '../response/reply.ts'
import type { BodyBudget } from './bodyBudget.ts'
import { clientAddress, joinHops, type ProxyTrust } from './clientAddress.ts'
import { parseQuery } from './query.ts'
import type { RateLimit } from './rateLimit.ts'

/** The token of a password reset is part of its path. */
const SECRET_SEGMENT = /^(\/+password-resets\/).+$/i
/** The address of a connection that is closed already. No proxy has it. */
const UNKNOWN_PEER = '0.0.0.0'

/** What a request shows to a person, for the analytics. */
export interface PageView {
  /** Without a query. */
  readonly path: string
  readonly job?: { readonly id: number; readonly userId: number | null } | undefined
  /** The page that led there, where the Referer header doesn't say it; `''` if unknown. */
  readonly referrer?: string
  /** Whether a board's own front end reports it. */
  readonly isReported?: boolean
}

/** The connections that requests come by. */
export interface Peers {
  /** The address of a request's connection, null once it is answered or closed. */
  requestIP(request: Request): { readonly address: string } | null
  /** Whether a request is still being answered. */
  isOpen?(request: Request): boolean
  /** Keeps the connection of a request whose response may take minutes. */
  holdOpen?(request: Request): void
}

/** What all requests share. */
export interface RequestServices {
  readonly peers: Peers
  /** The proxies whose `X-Forwarded-For` is trusted. */
  readonly proxies: ProxyTrust
  readonly rateLimit: RateLimit
  /** The memory for bodies that are being read. */
  readonly bodyBudget: BodyBudget
}

/** A request on its way through the pipeline, and what is known of it. */
export class RequestContext {
  readonly id = crypto.randomUUID()
  private readonly startedAt = performance.now()
  readonly authorization: string | null
  /** Anonymous until the credentials are verified, which is before any route runs. */
  caller: Caller = ANONYMOUS
  /** Set where the reply counts as a page view. */
  view: PageView | undefined
  /** The values in the path, read before the route's handler runs. */
  params: PathParams | undefined
  /** The checked body or query, read before the route's handler runs. */
  input: unknown
  /** What the route returned, which Elysia would make a response of. */
  result: Later<Reply> | undefined
  /** Whether the response comes later than the call that Bun made for the request. */
  isAsync = false
  private release: (() => void)[] = []
  private parsedPath: string | undefined
  private parsedQuery: ReadonlyMap<string, string> | undefined

  constructor(
    readonly request: Request,
    readonly services: RequestServices,
  ) {
    this.authorization = request.headers.get('authorization')
  }

  get method(): string {
    return this.request.method
  }

  header(name: string): string | null {
    return this.request.headers.get(name)
  }

  /** The addresses that the request came through, the client's among them. */
  get hops(): string {
    const peer = this.services.peers.requestIP(this.request)?.address ?? UNKNOWN_PEER
    return joinHops(peer, this.header('x-forwarded-for'))
  }

  get clientAddress(): string {
    return clientAddress(this.hops, this.services.proxies)
  }

  /** Path and query, as they were sent. */
  get target(): string {
    const { url } = this.request
    return url.slice(pathStart(url))
  }

  /** The path, without the query. */
  get path(): string {
    if (this.parsedPath === undefined) {
      const { target } = this
      const end = target.indexOf('?')
      this.parsedPath = end === -1 ? target : target.slice(0, end)
    }
    return this.parsedPath
  }

  /** The path without the secrets in it, for the log. */
  get loggedPath(): string {
    return this.path.replace(SECRET_SEGMENT, '$1…')
  }

  /**
   * The query's values, the last of each name.
   * @throws Problem 'malformed' if it is not UTF-8
   */
  get query(): ReadonlyMap<string, string> {
    return (this.parsedQuery ??= parseQuery(this.request.url))
  }

  /** Whether the response is for this caller alone. */
  get isPrivate(): boolean {
    return this.authorization !== null
  }

  get isRead(): boolean {
    return this.method === 'GET' || this.method === 'HEAD'
  }

  /** Has a function called once the response is made. */
  onEnd(release: () => void): void {
    this.release.push(release)
  }

  /** To be called once the response is made. */
  end(): void {
    for (const release of this.release) release()
  }

  /** Milliseconds since the request came in. */
  get elapsed(): number {
    return performance.now() - this.startedAt
  }
}

/** Where the path begins. Bun gives the path alone where it can make no URL of the Host header. */
const pathStart = (url: string) => (url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2))

const contexts = new WeakMap<Request, RequestContext>()

/** Makes a context known to those who are given its request alone, as Elysia's handlers are. */
export const registerContext = (context: RequestContext): void => void contexts.set(context.request, context)

export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request)
  if (!context) throw new Error('the request did not come through the pipeline')
  return context
}
