import type { Exchange } from './exchange.ts'

const EXPOSED = 'Link, X-Total-Count, ETag, Location'
const MAX_AGE = '86400'
/** What any page may send along; the rest is simple, or has no use here. */
const PLAIN_HEADERS = 'Content-Type, If-None-Match, Accept'

/** Says which other sites' pages may call (Fetch Standard, "CORS protocol"); never with cookies or kept credentials. */
export class Cors {
  /** @param origins '*', or those that may use every verb and sign in */
  constructor(
    private readonly origins: '*' | readonly string[],
    /** Whether anybody may POST to a path. */
    private readonly isPublicPost: (path: string) => boolean,
  ) {}

  /** Says in the headers of an answer that the page which asked may read it, if it may. */
  allow(exchange: Exchange, headers: Headers): void {
    const origin = this.allowed(exchange)
    if (origin === undefined) return
    headers.set('access-control-allow-origin', origin)
    headers.set('access-control-expose-headers', EXPOSED)
  }

  /** The further headers of the answer to a preflight, for a path that knows these verbs. */
  preflight(exchange: Exchange, verbs: readonly string[]): Record<string, string> {
    if (!exchange.request.headers.has('access-control-request-method')) return {}
    const open = this.origins === '*'
    const allowed = open ? verbs.filter(verb => this.isOpen(verb, exchange.path)) : verbs
    return {
      'access-control-allow-methods': allowed.join(', '),
      'access-control-allow-headers': open ? PLAIN_HEADERS : `${PLAIN_HEADERS}, Authorization`,
      'access-control-max-age': MAX_AGE,
    }
  }

  private allowed({ request, path }: Exchange): string | undefined {
    if (this.origins === '*') return this.isOpen(request.method, path) ? '*' : undefined
    const origin = request.headers.get('origin')
    return origin !== null && this.origins.includes(origin) ? origin : undefined
  }

  private isOpen(verb: string, path: string): boolean {
    return (
      verb === 'GET' || verb === 'HEAD' || verb === 'OPTIONS' || (verb === 'POST' && this.isPublicPost(path))
    )
  }
}
