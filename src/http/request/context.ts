import { ANONYMOUS, type Caller, type Session } from '../../base/caller.ts'
import type { Later } from '../../base/later.ts'
import type { FunnelStep } from '../../store/countRows.ts'
import type { PathParams } from '../paths.ts'
import type { RequestCounts } from '../requestCounts.ts'
import type { Reply } from '../response/reply.ts'
import type { BodyBudget } from './bodyBudget.ts'
import { clientAddress, joinHops, type ProxyTrust } from './clientAddress.ts'
import { parseQueryString } from './query.ts'
import type { RateLimit } from './rateLimit.ts'

/** Matches the path of a password reset, which contains its token. */
const SECRET_SEGMENT = /^(\/+(?:password-resets|reset)\/).+$/i
/** Stands for the address of a connection that is already closed. No proxy has this address. */
const UNKNOWN_PEER = '0.0.0.0'

/** A page view or another step to an application, for the statistics. */
export interface PageView {
  /** Without a query. */
  readonly path: string
  /** The step that is counted; undefined for a view. Only a view is a page view. */
  readonly step?: FunnelStep
  /** The ids of the jobs that the page shows in a list. */
  readonly shown?: readonly number[]
  readonly job?: { readonly id: number; readonly userId: number | null } | undefined
  /** The page that linked to it, `''` if unknown. Without this, the Referer header is used. */
  readonly referrer?: string
  /** Whether a front end reported it with `POST /events.json`. */
  readonly isReported?: boolean
}

/** The connections of requests. */
export interface Peers {
  /** Returns the address of a request's connection; null once the response is sent or the connection closed. */
  requestIP(request: Request): { readonly address: string } | null
  /** Whether the response to a request is still being sent. */
  isOpen?(request: Request): boolean
  /** Prevents the idle timeout of a connection whose response may take minutes. */
  holdOpen?(request: Request): void
}

/** The services that all requests share. */
export interface RequestServices {
  readonly peers: Peers
  /** The proxies whose `X-Forwarded-For` is trusted. */
  readonly proxies: ProxyTrust
  readonly rateLimit: RateLimit
  /** Limits the memory for bodies that are being read. */
  readonly bodyBudget: BodyBudget
  readonly requestCounts: RequestCounts
}

/** A request in the pipeline, and everything that the stages find out about it. */
export class RequestContext {
  readonly id = crypto.randomUUID()
  private readonly startedAt = performance.now()
  readonly authorization: string | null
  /** Anonymous until the credentials are verified, which is before any route runs. */
  caller: Caller = ANONYMOUS
  /** The session of the browser, if the caller was found by its cookie. */
  session: Session | undefined
  /** The page view that the reply counts as, if any. */
  view: PageView | undefined
  /** The values in the path, set before the route's handler runs. */
  params: PathParams | undefined
  /** The validated body or query, set before the route's handler runs. */
  input: unknown
  /** Runs the route that Elysia found; undefined if there is none. Elysia itself would turn the reply into a response. */
  runRoute: (() => Later<Reply>) | undefined
  /** The pattern of the route's path, such as `/jobs/{id}.json`; undefined if there is no route. */
  route: string | undefined
  /** Whether Bun gets a promise of the response instead of the response itself. */
  isAsync = false
  /** Whether the body of the response is being compressed. */
  isCompressing = false
  private releases: (() => void)[] = []
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

  /** The addresses that the request came through, including the client's. */
  get hops(): string {
    const peer = this.services.peers.requestIP(this.request)?.address ?? UNKNOWN_PEER
    return joinHops(peer, this.header('x-forwarded-for'))
  }

  get clientAddress(): string {
    return clientAddress(this.hops, this.services.proxies)
  }

  /** The path and the query, as they were sent. */
  get target(): string {
    const { url } = this.request
    return url.slice(pathStart(url))
  }

  /** The same with one spelling for spaces, which clients write in two ways. Cached replies have such keys. */
  get canonicalTarget(): string {
    return this.target.replaceAll('%20', '+')
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

  /** The path for the log, without secrets. */
  get loggedPath(): string {
    return this.path.replace(SECRET_SEGMENT, '$1…')
  }

  /**
   * The values in the query, the last one of each name.
   * @throws Problem 'malformed' if it is not UTF-8
   */
  get query(): ReadonlyMap<string, string> {
    return (this.parsedQuery ??= parseQueryString(this.request.url))
  }

  /** Whether the response is for this caller alone. */
  get isPrivate(): boolean {
    return this.authorization !== null || this.session !== undefined
  }

  get isRead(): boolean {
    return this.method === 'GET' || this.method === 'HEAD'
  }

  /** Registers a function to call after the reply is made, when the body of the request is no longer needed. */
  onEnd(release: () => void): void {
    this.releases.push(release)
  }

  /** Calls the registered functions. The pipeline does so after the reply is made. */
  end(): void {
    for (const release of this.releases) release()
  }

  /** The time since the request arrived, in milliseconds. */
  get elapsed(): number {
    return performance.now() - this.startedAt
  }
}

/** Returns the index where the path begins. If the Host header is invalid, Bun's URL is only the path. */
const pathStart = (url: string) => (url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2))

const contexts = new WeakMap<Request, RequestContext>()

/** Lets `contextOf` find a context by its request, which is all that Elysia passes to a handler. */
export const registerContext = (context: RequestContext): void => void contexts.set(context.request, context)

/** Returns the context of a request. @throws Error if it was not registered */
export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request)
  if (!context) throw new Error('The request did not come through the pipeline.')
  return context
}
