import { andThen, attempt, type Later } from '../base/later.ts'
import { Problem } from '../base/problem.ts'
import { AllowedMethods, NotFound } from '../http/paths.ts'
import { registerContext, type RequestContext } from '../http/request/context.ts'
import type { Cors } from '../http/response/cors.ts'
import { Reply } from '../http/response/reply.ts'
import type { ListedRoute } from '../http/route.ts'

const NO_CONTENT = 204

/** Calls the route of a request, or else reads a public file, or replies with 404 or 405 if there is neither. */
export class Router {
  private readonly methods: AllowedMethods

  /**
   * @param app finds the route and calls its handler, which stores in the request's context how to run it
   * @param publicFile replies with the operator's own file at a path, if there is one
   */
  constructor(
    private readonly app: { readonly fetch: (request: Request) => unknown },
    routes: readonly ListedRoute[],
    private readonly cors: Cors,
    private readonly publicFile: (context: RequestContext) => Later<Reply | undefined>,
  ) {
    this.methods = new AllowedMethods(routes)
  }

  readonly reply = (context: RequestContext): Later<Reply> => {
    registerContext(context)
    // Elysia calls the handler before this returns, because no route has a hook and Elysia parses no body.
    void this.app.fetch(context.request)
    return attempt(
      () => {
        if (!context.runRoute) throw new NotFound()
        return context.runRoute()
      },
      error => {
        if (error instanceof NotFound) return this.notFoundOrNotAllowed(context)
        throw error
      },
    )
  }

  /**
   * Replies to OPTIONS, and with public files. Throws 404 for an unknown path, including some that Elysia matches, and 405
   * for a wrong method.
   */
  private notFoundOrNotAllowed(context: RequestContext): Later<Reply> {
    const allow = this.methods.of(context.path)
    if (allow.length > 0 && context.method === 'OPTIONS') {
      const headers = { allow: allow.join(', '), ...this.cors.preflight(context, allow) }
      return new Reply(undefined, NO_CONTENT, headers)
    }
    if (allow.length === 0) return this.publicFileOrNotFound(context)
    if (allow.includes(context.method)) throw new NotFound()
    throw new Problem('methodNotAllowed', `This path allows ${allow.join(', ')}.`, { allow })
  }

  /** Files come last, so that they never stand in for a route. */
  private publicFileOrNotFound(context: RequestContext): Later<Reply> {
    const file = context.isRead ? this.publicFile(context) : undefined
    return andThen(file, found => {
      if (!found) throw new NotFound()
      return found
    })
  }
}
