import { isIPv4 } from 'node:net'
import { NotFoundError } from 'elysia'
import { Problem } from '../base/problem.ts'
import type { Board } from '../board.ts'
import type { Config } from '../config/config.ts'
import { Answers } from '../http/answer.ts'
import { BodyBudget } from '../http/budget.ts'
import { Cors } from '../http/cors.ts'
import { CrossSite } from '../http/crossSite.ts'
import { Refusal, Refusals } from '../http/errors.ts'
import { Exchange, exchangeOf, introduce } from '../http/exchange.ts'
import { problemOfHost } from '../http/host.ts'
import { UnknownPath, type Verbs } from '../http/ids.ts'
import { RateLimit } from '../http/limit.ts'
import { Notice, Reply } from '../http/reply.ts'
import { UnreadBodies } from '../http/unread.ts'
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
export type Count = (traffic: Traffic, exchange: Exchange, response: Response) => void
/** Gives what is told the form that suits who asked. */
export type Suit = (exchange: Exchange, told: Refusal | Notice) => Reply
/** Answers what is kept, without looking for a route. */
export type Ready = (exchange: Exchange) => Reply | undefined
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
  private readonly refusals: Refusals
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
    private readonly verbs: () => Verbs,
    publicVerbs: () => Verbs,
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
    this.refusals = new Refusals(board.config.name)
  }

  /** Lets a request through to the routes, unless what it says of who sends it is wrong. */
  pass(request: Request, next: Next): Response | Promise<Response> {
    const { credentials, config } = this.board
    const peer = () => this.peers.requestIP(request)?.address ?? GONE
    const exchange = new Exchange(request, peer, config.trustProxy, this.limit, this.bodies)
    const problem = problemOfHost(request.url) ?? this.crossSite.problemOf(exchange)
    if (problem) return this.finish(exchange, Promise.reject(problem))
    const caller = credentials.identify(exchange.authorization, () => exchange.client)
    if (caller instanceof Promise) return this.finish(exchange, this.passLater(exchange, caller, next))
    exchange.caller = caller
    const response = this.answerReady(exchange) ?? next(introduce(exchange))
    if (!(response instanceof Promise)) return this.record(exchange, response)
    // a write waits for its body at least; a search for the index, which a large board takes a while to build
    if (!exchange.isRead) exchange.isLate = true
    else if (this.board.search.isBehind) this.listener.holdOn?.(request)
    return this.finish(exchange, response)
  }

  private answerReady(exchange: Exchange): Response | Promise<Response> | undefined {
    try {
      const ready = this.ready(exchange)
      return ready && this.answers.answer(exchange, ready)
    } catch (error) {
      return this.reply(exchange, this.refusalOf(exchange, error))
    }
  }

  private async passLater(
    exchange: Exchange,
    caller: ReturnType<Board['credentials']['identify']>,
    next: Next,
  ) {
    exchange.isLate = true
    exchange.caller = await caller
    return await next(introduce(exchange))
  }

  /** What can't be answered after all is told, and logged, as what a route can't do. */
  private finish(exchange: Exchange, response: Promise<Response>): Promise<Response> {
    return response
      .catch((error: unknown) => this.reply(exchange, this.refusalOf(exchange, error)))
      .then(answer => this.record(exchange, answer))
  }

  /** Makes a response of what a route gave, or gives later. */
  answer(request: Request, value: unknown): Response | Promise<Response> {
    const exchange = exchangeOf(request)
    if (!(value instanceof Promise)) return this.reply(exchange, value)
    // Elysia waits for those routes only that it takes for asynchronous by their source
    return value.then(
      late => this.reply(exchange, late),
      (error: unknown) => this.reply(exchange, this.refuse(request, error)),
    )
  }

  private reply(exchange: Exchange, value: unknown): Response | Promise<Response> {
    const isTold = value instanceof Refusal || value instanceof Notice
    return this.answers.answer(exchange, isTold ? this.suited(exchange, value) : value)
  }

  /** What a request is told that none of the routes took: nothing there, or not with this verb. */
  refuse(request: Request, error: unknown): Reply {
    const exchange = exchangeOf(request)
    const isBeyond = error instanceof UnknownPath || error instanceof NotFoundError
    // a route takes paths that are none of ours, as `/jobs/x.json`, and asks first who may use it
    return isBeyond || (isOfGuard(error) && !this.verbs().of(exchange.path).includes(request.method))
      ? this.beyondRoutes(exchange)
      : this.refusalOf(exchange, error)
  }

  private beyondRoutes(exchange: Exchange): Reply {
    const { path, request } = exchange
    const allow = this.verbs().of(path)
    if (allow.length === 0) return this.refusals.of(new UnknownPath())
    if (request.method === 'OPTIONS')
      return new Reply(undefined, NO_CONTENT, {
        allow: allow.join(', '),
        ...this.cors.preflight(exchange, allow),
      })
    return this.refusals.of(new Problem('verb', `This path knows ${allow.join(', ')}.`, { allow }))
  }

  /** What is told must go out, even if what suits the caller can't be made. */
  private suited(exchange: Exchange, told: Refusal | Notice): Reply {
    try {
      return this.suit(exchange, told)
    } catch (error) {
      this.refusalOf(exchange, error)
      return told
    }
  }

  private refusalOf(exchange: Exchange, error: unknown): Refusal {
    if (error instanceof Problem) return this.refusals.of(error)
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.board.log.error('a request failed', { id: exchange.id, cause })
    return this.refusals.fault(exchange.id)
  }

  private record(exchange: Exchange, response: Response): Response {
    exchange.end()
    this.count(this.board.traffic, exchange, response)
    const { request, loggedPath: path, elapsed, id } = exchange
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
