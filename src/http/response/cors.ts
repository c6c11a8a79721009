import type { RequestContext } from '../request/context.ts'

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

  /** What the pages that may read an answer are named by: one of a few words, undefined if none may. */
  allowedOrigin({ request, path }: RequestContext): string | undefined {
    if (this.origins === '*') return this.isOpen(request.method, path) ? '*' : undefined
    const origin = request.headers.get('origin')
    return origin !== null && this.origins.includes(origin) ? origin : undefined
  }

  /** Says in the headers of an answer who may read it. */
  setHeaders(readers: string | undefined, headers: Headers): void {
    if (readers === undefined) return
    headers.set('access-control-allow-origin', readers)
    headers.set('access-control-expose-headers', EXPOSED)
  }

  /** The further headers of the answer to a preflight, for a path that knows these verbs. */
  preflight(context: RequestContext, verbs: readonly string[]): Record<string, string> {
    if (!context.request.headers.has('access-control-request-method')) return {}
    const open = this.origins === '*'
    const allowed = open ? verbs.filter(verb => this.isOpen(verb, context.path)) : verbs
    return {
      'access-control-allow-methods': allowed.join(', '),
      'access-control-allow-headers': open ? PLAIN_HEADERS : `${PLAIN_HEADERS}, Authorization`,
      'access-control-max-age': MAX_AGE,
    }
  }

  private isOpen(verb: string, path: string): boolean {
    return (
      verb === 'GET' || verb === 'HEAD' || verb === 'OPTIONS' || (verb === 'POST' && this.isPublicPost(path))
    )
  }
}
