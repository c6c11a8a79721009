import { ANONYMOUS, type Caller } from '../base/caller.ts'
import { andThen, attempt, type Later } from '../base/later.ts'
import type { Board } from '../board.ts'
import { METRICS_PATH } from '../http/paths.ts'
import { RequestContext, type RequestServices } from '../http/request/context.ts'
import type { CrossSiteCheck } from '../http/request/crossSite.ts'
import { checkHost } from '../http/request/hostCheck.ts'
import type { ResponseEncoder } from '../http/response/encoder.ts'
import type { ErrorReplies } from '../http/response/errors.ts'
import type { Reply } from '../http/response/reply.ts'
import { EncodedReply } from '../http/response/responseCache.ts'

/** The stages of the pipeline, which `app.ts` creates. */
export interface Stages {
  readonly board: Board
  readonly services: RequestServices
  readonly crossSite: CrossSiteCheck
  readonly route: (context: RequestContext) => Later<Reply>
  readonly errors: ErrorReplies
  /** Turns a message or an error into a page if a browser asks for one. */
  readonly asPage: (context: RequestContext, reply: Reply) => Reply
  readonly encoder: ResponseEncoder
  /** Counts the page view of a response, if it is one. */
  readonly countView: (context: RequestContext, response: Response) => void
}

/**
 * Handles requests, in these stages:
 *
 *     host check → cross-site check → authenticate → cached reply → route → errors → page → encode → record
 */
export class Pipeline {
  constructor(private readonly stages: Stages) {}

  readonly fetch = (request: Request): Later<Response> => {
    const context = new RequestContext(request, this.stages.services)
    const reply = attempt(
      () => this.reply(context),
      error => this.errorReply(context, error),
    )
    if (reply instanceof Promise) this.prepareToWait(context)
    return andThen(reply, settled => this.respond(context, settled))
  }

  private reply(context: RequestContext): Later<Reply> {
    checkHost(context.request.url)
    this.stages.crossSite.check(context)
    return andThen(this.authenticate(context), caller => {
      context.caller = caller
      return this.cachedReply(context) ?? this.stages.route(context)
    })
  }

  /** Finds the caller by the session of the browser, which only pages have, or else by the credentials. */
  private authenticate(context: RequestContext): Later<Caller> {
    // The metrics have their own token, which belongs to no account.
    if (context.authorization !== null && context.path === METRICS_PATH) return ANONYMOUS
    const { credentials, sessions, sessionCookie } = this.stages.board.accounts
    const token = sessionCookie.tokenOf(context)
    const session = token === undefined ? undefined : sessions.find(token)
    return andThen(session, found => {
      context.session = found
      return found?.account ?? credentials.identify(context.authorization, () => context.clientAddress)
    })
  }

  /** Returns the reply if it is the same for everybody and cached for exactly this path and query. */
  private cachedReply(context: RequestContext): Reply | undefined {
    if (context.method !== 'GET' || context.caller.userId !== undefined) return undefined
    const cached = this.stages.board.responses.replyTo(context.canonicalTarget)
    context.view = cached?.view
    context.route = cached?.route
    return cached
  }

  private errorReply(context: RequestContext, error: unknown): Reply {
    return this.stages.errors.of(error, context.id)
  }

  private respond(context: RequestContext, reply: Reply): Later<Response> {
    context.end()
    if (reply instanceof EncodedReply) reply.route ??= context.route
    const { asPage, encoder } = this.stages
    const encode = (unencoded: Reply) => encoder.encode(context, asPage(context, unencoded))
    const response = attempt(
      () => encode(reply),
      error => encode(this.errorReply(context, error)),
    )
    return andThen(response, settled => this.record(context, settled))
  }

  private record(context: RequestContext, response: Response): Response {
    this.stages.countView(context, response)
    const { method, loggedPath: path, elapsed, id } = context
    const { board, services } = this.stages
    services.requestCounts.add(method, context.route, response.status, elapsed)
    const ms = Math.round(elapsed * 100) / 100
    board.log.info('request', { method, path, status: response.status, ms, id })
    return response
  }

  /** A search may have to wait for the index of a large board, for longer than the idle timeout of a connection. */
  private prepareToWait(context: RequestContext) {
    context.isAsync = true
    const { board, services } = this.stages
    if (context.isRead && board.search.isBehind) services.peers.holdOpen?.(context.request)
  }
}
