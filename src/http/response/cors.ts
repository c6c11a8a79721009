import type { RequestContext } from '../request/context.ts'

const EXPOSED = 'Link, X-Total-Count, X-Search, X-Search-Corrected, X-Change-Seq, X-Unchanged, ETag, Location'
const MAX_AGE = '86400'
/** The headers that any site may send, in addition to those that are always allowed. */
const PLAIN_HEADERS = 'Content-Type, If-None-Match, Accept, Idempotency-Key'

/** Decides which sites' pages may call the API (CORS), never with cookies or remembered credentials. */
export class Cors {
  /**
   * @param origins the origins that may use every method and sign in, or `*` to let all origins send public requests
   * @param isPublicPost returns whether anybody may POST to a path
   */
  constructor(
    private readonly origins: '*' | readonly string[],
    private readonly isPublicPost: (path: string) => boolean,
  ) {}

  /** Returns the origin whose pages may read the response: `*`, a trusted one, or undefined for none. */
  allowedOrigin({ request, path }: RequestContext): string | undefined {
    if (this.origins === '*') return this.isOpen(request.method, path) ? '*' : undefined
    const origin = request.headers.get('origin')
    return origin !== null && this.origins.includes(origin) ? origin : undefined
  }

  /** Sets the headers that let an origin read the response. */
  setHeaders(origin: string | undefined, headers: Headers): void {
    if (origin === undefined) return
    headers.set('access-control-allow-origin', origin)
    headers.set('access-control-expose-headers', EXPOSED)
  }

  /** Returns the headers of the response to a preflight request. @param methods the methods of the path */
  preflight(context: RequestContext, methods: readonly string[]): Record<string, string> {
    if (!context.request.headers.has('access-control-request-method')) return {}
    const isOpenToAll = this.origins === '*'
    const allowed = isOpenToAll ? methods.filter(method => this.isOpen(method, context.path)) : methods
    return {
      'access-control-allow-methods': allowed.join(', '),
      'access-control-allow-headers': isOpenToAll ? PLAIN_HEADERS : `${PLAIN_HEADERS}, Authorization`,
      'access-control-max-age': MAX_AGE,
    }
  }

  private isOpen(method: string, path: string): boolean {
    return (
      method === 'GET' ||
      method === 'HEAD' ||
      method === 'OPTIONS' ||
      (method === 'POST' && this.isPublicPost(path))
    )
  }
}
