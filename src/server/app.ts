import { isIPv4 } from 'node:net'
import type { Board } from '../board.ts'
import type { Config } from '../config/config.ts'
import { countView } from '../features/analytics/rules.ts'
import { Pages } from '../features/pages/pages.ts'
import { pathPattern } from '../http/paths.ts'
import { BodyBudget } from '../http/request/bodyBudget.ts'
import type { Peers, RequestContext } from '../http/request/context.ts'
import { CrossSiteCheck } from '../http/request/crossSite.ts'
import { RateLimit } from '../http/request/rateLimit.ts'
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

/** The address of peers on this machine, and of requests that come by no socket, as in tests. */
export const LOOPBACK: Peers = { requestIP: () => ({ address: '127.0.0.1' }) }

/**
 * Puts the pipeline over an open board together: first its routes, then everything around them.
 * @param peers tells where requests come from
 * @param count counts page views; the benchmark of counting leaves that out
 */
export function createApp(board: Board, peers = LOOPBACK, count = countView): Pipeline {
  const { config, clock, links, log } = board
  const pages = config.pages === 'on' ? new Pages(board) : undefined
  const app = routesOf(board, pages)
  const routes = listRoutes(app.routes)
  const cors = new Cors(config.corsOrigin, publicPosts(routes))
  const isOpen = (request: Request) => peers.isOpen?.(request) ?? false
  return new Pipeline({
    board,
    services: {
      // to ask for the address of a connection takes longer than all else about counting a view
      peers: trustsEveryPeer(config)
        ? { ...LOOPBACK, holdOpen: request => peers.holdOpen?.(request) }
        : peers,
      proxies: config.trustProxy,
      rateLimit: new RateLimit(clock),
      bodyBudget: new BodyBudget(),
    },
    crossSite: new CrossSiteCheck(new URL(links.base).origin, config.corsOrigin),
    route: new Router(app, routes, cors).reply,
    errors: new ErrorReplies(config.name, log),
    asPage: (context: RequestContext, reply: Reply) => pages?.asPage(context, reply) ?? reply,
    encoder: new ResponseEncoder(cors, new UnreadBodies(isOpen)),
    countView: (context, response) => count(board.traffic, context, response),
  })
}

/** Whether anybody may POST to a path, from any site: these are the public routes with a limit. */
function publicPosts(routes: readonly ListedRoute[]): (path: string) => boolean {
  const patterns = routes
    .filter(
      ({ method, rules }) => method === 'POST' && rules.access === 'public' && rules.perMinute !== undefined,
    )
    .map(({ path }) => pathPattern(path))
  return path => patterns.some(pattern => pattern.test(path))
}

/** Whether every peer is this machine and a trusted proxy, so that no address tells it from another. */
const trustsEveryPeer = ({ host, trustProxy }: Config) =>
  host.startsWith('127.') && isIPv4(host) && trustProxy.trustsLoopback
