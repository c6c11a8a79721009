import { isIPv4 } from 'node:net'
import { NotFoundError } from 'elysia'
import { Problem } from '../base/problem.ts'
import type { Board } from '../board.ts'
import type { Config } from '../config/config.ts'
import { type AllowedMethods, NotFound } from '../http/paths.ts'
import { BodyBudget } from '../http/request/bodyBudget.ts'
import { contextOf, registerContext, RequestContext } from '../http/request/context.ts'
import { CrossSite } from '../http/request/crossSite.ts'
import { problemOfHost } from '../http/request/hostCheck.ts'
import { RateLimit } from '../http/request/rateLimit.ts'
import { Cors } from '../http/response/cors.ts'
import { ErrorReplies, ErrorReply } from '../http/response/errors.ts'
import { MessageReply, Reply } from '../http/response/reply.ts'
import { Answers } from '../http/response/send.ts'
import { UnreadBodies } from '../http/response/unreadBodies.ts'
import type { Traffic } from '../traffic/traffic.ts'

/** Tells whom a request came from, for as long as it is not answered; null if they hung up. */
export interface Peers {
  requestIP(request: Request): { readonly address: string } | null
  /** Tells whether a request is still being answered. */
  isOpen?(request: Request): boolean
  /** Keeps the connection of a request whose answer may take minutes. */
  holdOn?(request: Request): void
}
/** Told of every response, before it goes out. */
export type Count = (traffic: Traffic, context: RequestContext, response: Response) => void
/** Gives what is told the form that suits who asked. */
export type Suit = (context: RequestContext, told: ErrorReply | MessageReply) => Reply
/** Answers what is kept, without looking for a route. */
export type Ready = (context: RequestContext) => Reply | undefined
export type Next = (request: Request) => Response | Promise<Response>

/** The peers of requests that come by no socket, as in tests of the app itself. */
export const HERE: Peers = { requestIP: () => ({ address: '127.0.0.1' }) }
/** The peer that is gone already: nobody whom we believe. */
const GONE = '0.0.0.0'
const NO_CONTENT = 204

/** What every request passes, whatever it is for: credentials on the way in; answer, refusal and log on the way out. */
export class Gate {
  private readonly cors: Cors
  private readonly crossSite: CrossSite
  private readonly answers: Answers
  private readonly refusals: ErrorReplies
  private readonly limit: RateLimit
  private readonly bodies = new BodyBudget()
  private readonly peers: Peers

  /**
   * @param verbs those of every path
   * @param publicVerbs those of the paths with a limit
   */
  constructor(
    private readonly board: Board,
    private readonly listener: Peers,
    private readonly verbs: () => AllowedMethods,
    publicVerbs: () => AllowedMethods,
    private readonly ready: Ready,
    private readonly suit: Suit,
    private readonly count: Count,
  ) {
    this.peers = isAmongFriends(board.config) ? HERE : listener
    this.limit = new RateLimit(board.clock)
    this.cors = new Cors(board.config.corsOrigin, path => publicVerbs().of(path).includes('POST'))
    const unread = new UnreadBodies(request => this.listener.isOpen?.(request) ?? false)
    this.answers = new Answers(this.cors, unread)
    this.crossSite = new CrossSite(new URL(board.links.base).origin, board.config.corsOrigin)
    this.refusals = new ErrorReplies(board.config.name)
  }

  /** Lets a request through to the routes, unless what it says of who sends it is wrong. */
  pass(request: Request, next: Next): Response | Promise<Response> {
    const { credentials, config } = this.board
    const peer = () => this.peers.requestIP(request)?.address ?? GONE
    const context = new RequestContext(request, peer, config.trustProxy, this.limit, this.bodies)
    const problem = problemOfHost(request.url) ?? this.crossSite.problemOf(context)
    if (problem) return this.finish(context, Promise.reject(problem))
    const caller = credentials.identify(context.authorization, () => context.client)
    if (caller instanceof Promise) return this.finish(context, this.passLater(context, caller, next))
    context.caller = caller
    const response = this.answerReady(context) ?? next(registerContext(context))
    if (!(response instanceof Promise)) return this.record(context, response)
    // a write waits for its body at least; a search for the index, which a large board takes a while to build
    if (!context.isRead) context.isLate = true
    else if (this.board.search.isBehind) this.listener.holdOn?.(request)
    return this.finish(context, response)
  }

  private answerReady(context: RequestContext): Response | Promise<Response> | undefined {
    try {
      const ready = this.ready(context)
      return ready && this.answers.answer(context, ready)
    } catch (error) {
      return this.reply(context, this.refusalOf(context, error))
    }
  }

  private async passLater(
    context: RequestContext,
    caller: ReturnType<Board['credentials']['identify']>,
    next: Next,
  ) {
    context.isLate = true
    context.caller = await caller
    return await next(registerContext(context))
  }

  /** What can't be answered after all is told, and logged, as what a route can't do. */
  private finish(context: RequestContext, response: Promise<Response>): Promise<Response> {
    return response
      .catch((error: unknown) => this.reply(context, this.refusalOf(context, error)))
      .then(answer => this.record(context, answer))
  }

  /** Makes a response of what a route gave, or gives later. */
  answer(request: Request, value: unknown): Response | Promise<Response> {
    const context = contextOf(request)
    if (!(value instanceof Promise)) return this.reply(context, value)
    // Elysia waits for those routes only that it takes for asynchronous by their source
    return value.then(
      late => this.reply(context, late),
      (error: unknown) => this.reply(context, this.refuse(request, error)),
    )
  }

  private reply(context: RequestContext, value: unknown): Response | Promise<Response> {
    const isTold = value instanceof ErrorReply || value instanceof MessageReply
    return this.answers.answer(context, isTold ? this.suited(context, value) : value)
  }

  /** What a request is told that none of the routes took: nothing there, or not with this verb. */
  refuse(request: Request, error: unknown): Reply {
    const context = contextOf(request)
    const isBeyond = error instanceof NotFound || error instanceof NotFoundError
    // a route takes paths that are none of ours, as `/jobs/x.json`, and asks first who may use it
    return isBeyond || (isOfGuard(error) && !this.verbs().of(context.path).includes(request.method))
      ? this.beyondRoutes(context)
      : this.refusalOf(context, error)
  }

  private beyondRoutes(context: RequestContext): Reply {
    const { path, request } = context
    const allow = this.verbs().of(path)
    if (allow.length === 0) return this.refusals.of(new NotFound())
    if (request.method === 'OPTIONS')
      return new Reply(undefined, NO_CONTENT, {
        allow: allow.join(', '),
        ...this.cors.preflight(context, allow),
      })
    return this.refusals.of(
      new Problem('methodNotAllowed', `This path knows ${allow.join(', ')}.`, { allow }),
    )
  }

  /** What is told must go out, even if what suits the caller can't be made. */
  private suited(context: RequestContext, told: ErrorReply | MessageReply): Reply {
    try {
      return this.suit(context, told)
    } catch (error) {
      this.refusalOf(context, error)
      return told
    }
  }

  private refusalOf(context: RequestContext, error: unknown): ErrorReply {
    if (error instanceof Problem) return this.refusals.of(error)
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.board.log.error('a request failed', { id: context.id, cause })
    return this.refusals.fault(context.id)
  }

  private record(context: RequestContext, response: Response): Response {
    context.end()
    this.count(this.board.traffic, context, response)
    const { request, loggedPath: path, elapsed, id } = context
    const ms = Math.round(elapsed * 100) / 100
    this.board.log.info('request', { method: request.method, path, status: response.status, ms, id })
    return response
  }
}

const isOfGuard = (error: unknown) =>
  error instanceof Problem && (error.kind === 'unauthenticated' || error.kind === 'forbidden')

/**
 * Whether every peer is this machine, and believed by whichever of its addresses. Then it is not asked for, since asking
 * takes longer than all else about counting a visit.
 */
const isAmongFriends = ({ host, trustProxy }: Config) =>
  host.startsWith('127.') && isIPv4(host) && trustProxy.trustsLoopback
