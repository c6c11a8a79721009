import { isIPv4 } from 'node:net'
import type { Board } from '../board.ts'
import type { Config } from '../config/config.ts'
import { countView } from '../features/analytics/rules.ts'
import { presentChange } from '../features/changes/present.ts'
import { Pages } from '../features/pages/pages.ts'
import { pathPattern } from '../http/paths.ts'
import { BodyBudget } from '../http/request/bodyBudget.ts'
import type { Peers, RequestContext } from '../http/request/context.ts'
import { CrossSiteCheck } from '../http/request/crossSite.ts'
import { RateLimit } from '../http/request/rateLimit.ts'
import { RequestCounts } from '../http/requestCounts.ts'
import { Cors } from '../http/response/cors.ts'
import { ResponseEncoder } from '../http/response/encoder.ts'
import { ErrorReplies } from '../http/response/errors.ts'
import type { Reply } from '../http/response/reply.ts'
import { UnreadBodies } from '../http/response/unreadBodies.ts'
import { type ListedRoute, listRoutes } from '../http/route.ts'
import { Pipeline } from './pipeline.ts'
import { Router } from './router.ts'
import { routesOf } from './routes.ts'

export type { Corkboard } from './routes.ts'

/** Gives every request the loopback address, for peers on this machine and for tests without a socket. */
export const LOOPBACK: Peers = { requestIP: () => ({ address: '127.0.0.1' }) }

/** What stays the same when the settings change. */
interface Surroundings {
  readonly peers: Peers
  readonly rateLimit: RateLimit
  readonly bodyBudget: BodyBudget
  readonly requestCounts: RequestCounts
  readonly unreadBodies: UnreadBodies
  readonly count: typeof countView
}

/**
 * Creates the handler of all requests to an open board, and starts its webhooks. When the settings change, further requests go through a new
 * pipeline.
 * @param peers returns the addresses of connections
 * @param count counts page views; a benchmark replaces it
 */
export function createApp(board: Board, peers = LOOPBACK, count = countView): Pick<Pipeline, 'fetch'> {
  const surroundings = {
    peers,
    rateLimit: new RateLimit(board.clock),
    bodyBudget: new BodyBudget(),
    requestCounts: new RequestCounts(),
    unreadBodies: new UnreadBodies(request => peers.isOpen?.(request) ?? false),
    count,
  }
  board.webhooks.start(entry => presentChange(board, entry))
  let pipeline = createPipeline(board, surroundings)
  board.liveConfig.onChange(() => {
    pipeline = createPipeline(board, surroundings)
  })
  return { fetch: request => pipeline.fetch(request) }
}

/** Creates a pipeline for the current settings: first its routes, then the stages around them. */
function createPipeline(board: Board, surroundings: Surroundings): Pipeline {
  const { config, links, log } = board
  const { peers, rateLimit, bodyBudget, requestCounts, unreadBodies, count } = surroundings
  const pages = config.pages === 'on' ? new Pages(board) : undefined
  const app = routesOf(board, pages)
  const routes = listRoutes(app.routes)
  const cors = new Cors(config.corsOrigin, publicPosts(routes))
  return new Pipeline({
    board,
    services: {
      // Asking Bun for the address of a connection takes longer than everything else about counting a page view.
      peers: trustsEveryPeer(config)
        ? { ...LOOPBACK, holdOpen: request => peers.holdOpen?.(request) }
        : peers,
      proxies: config.trustProxy,
      rateLimit,
      bodyBudget,
      requestCounts,
    },
    crossSite: new CrossSiteCheck(new URL(links.base).origin, config.corsOrigin),
    route: new Router(app, routes, cors, context => pages?.publicFiles?.reply(context)).reply,
    errors: new ErrorReplies(config.name, log),
    asPage: (context: RequestContext, reply: Reply) => pages?.asPage(context, reply) ?? reply,
    encoder: new ResponseEncoder(cors, unreadBodies),
    countView: (context, response) => count(board, context, response),
  })
}

/** Returns a function that tells whether any site may POST to a path, as it may to public routes of the API with a rate limit. */
function publicPosts(routes: readonly ListedRoute[]): (path: string) => boolean {
  const patterns = routes
    .filter(
      ({ method, rules }) =>
        'id' in rules && method === 'POST' && rules.access === 'public' && rules.perNetwork !== undefined,
    )
    .map(({ path }) => pathPattern(path))
  return path => patterns.some(pattern => pattern.test(path))
}

/** Whether every peer is a trusted proxy on this machine, so that the peer's address makes no difference. */
const trustsEveryPeer = ({ host, trustProxy }: Config) =>
  host.startsWith('127.') && isIPv4(host) && trustProxy.trustsLoopback
