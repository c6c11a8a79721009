import { ANONYMOUS, type Caller } from '../../base/caller.ts'
import type { Access } from '../auth.ts'
import type { BodyBudget } from './bodyBudget.ts'
import { clientAddress, joinHops, type ProxyTrust } from './clientAddress.ts'
import { parseQuery } from './query.ts'
import type { RateLimit } from './rateLimit.ts'

/** The token of a password reset is part of its path. */
const SECRET_SEGMENT = /^(\/+password-resets\/).+$/i

/** What a request shows to a person, or tells of. */
export interface PageView {
  /** Without a query. */
  readonly path: string
  readonly job?: { readonly id: number; readonly userId: number | null } | undefined
  /** The page that led there, where the request's own Referer does not say it; `''` if unknown. */
  readonly referrer?: string
  /** Whether a board's own front end reports it. */
  readonly isReported?: boolean
}

/** A request on its way to its answer: what is known of it, read once. */
export class RequestContext {
  readonly id = crypto.randomUUID()
  readonly started = performance.now()
  /** The credentials as they were sent, null if none were. */
  readonly authorization: string | null
  /** Known once the credentials were looked at, which is before any route runs. */
  caller: Caller = ANONYMOUS
  /** Set by the routes whose answers are views, which are counted if the answer goes well. */
  view: PageView | undefined
  /** Set where an answer waits for what may not come in the same turn of the event loop as the request. */
  isLate = false
  /** Who may use the route. */
  needs: Access = 'nobody'
  private readonly releases: (() => void)[] = []
  private pathname: string | undefined
  private parameters: ReadonlyMap<string, string> | undefined

  /**
   * @param peer gives the address that the request came from, while it is not answered yet
   * @param proxies those that are believed about the client's address
   * @param limit counts for those routes that have one
   * @param budget the memory that the bodies of all requests share
   */
  constructor(
    readonly request: Request,
    private readonly peer: () => string,
    private readonly proxies: ProxyTrust,
    readonly limit: RateLimit,
    readonly budget: BodyBudget,
  ) {
    this.authorization = request.headers.get('authorization')
  }

  /** The addresses that it came through, of which the client's is one. */
  get hops(): string {
    return joinHops(this.peer(), this.request.headers.get('x-forwarded-for'))
  }

  /** The client's address. */
  get client(): string {
    return clientAddress(this.hops, this.proxies)
  }

  /** The path, without the query. */
  get path(): string {
    return (this.pathname ??= pathOf(this.request.url))
  }

  /** The path as it may be written down: one that holds a token keeps it to itself. */
  get loggedPath(): string {
    return this.path.replace(SECRET_SEGMENT, '$1…')
  }

  /** The query as it stands, from its `?` on; empty where there is none. */
  get search(): string {
    const { url } = this.request
    const start = url.indexOf('?')
    return start === -1 ? '' : url.slice(start)
  }

  /**
   * The query's values, the last of each name.
   * @throws Problem 'malformed' if it is not UTF-8
   */
  get query(): ReadonlyMap<string, string> {
    return (this.parameters ??= parseQuery(this.request.url))
  }

  /** Whether the answer is for this caller alone. */
  get isPrivate(): boolean {
    return this.authorization !== null
  }

  get isRead(): boolean {
    return this.request.method === 'GET' || this.request.method === 'HEAD'
  }

  /** Has a function called once the request is answered. */
  onEnd(release: () => void): void {
    this.releases.push(release)
  }

  /** To be called when the response is made. */
  end(): void {
    for (const release of this.releases) release()
  }

  /** Milliseconds since it came in. */
  get elapsed(): number {
    return performance.now() - this.started
  }
}

function pathOf(url: string): string {
  // Bun gives the path alone where it can make no URL of the Host header
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const end = url.indexOf('?', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}

const exchanges = new WeakMap<Request, RequestContext>()

/** Makes an exchange known to those who have its request only, as routes do. */
export function registerContext(context: RequestContext): Request {
  exchanges.set(context.request, context)
  return context.request
}

/** The exchange that a request belongs to. */
export function contextOf(request: Request): RequestContext {
  const context = exchanges.get(request)
  if (!context) throw new Error('a request came in beside the server')
  return context
}
