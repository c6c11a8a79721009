import { Elysia } from 'elysia'
import type { Board } from '../board.ts'
import { healthRoutes } from '../features/health/routes.ts'
import { jobRoutes, type Represent, type Representations } from '../features/jobs/routes.ts'
import { categoryRoutes, termRoutes } from '../features/labels/routes.ts'
import { logoRoutes } from '../features/logos/routes.ts'
import { Pages } from '../features/pages/pages.ts'
import { pageRoutes } from '../features/pages/routes.ts'
import { planRoutes } from '../features/plans/routes.ts'
import { Pictures } from '../features/previews/pictures.ts'
import { resetRoutes } from '../features/resets/routes.ts'
import { subscriberRoutes } from '../features/subscribers/routes.ts'
import { userRoutes } from '../features/users/routes.ts'
import { hasLimit } from '../http/auth.ts'
import { Verbs } from '../http/ids.ts'
import { Gate, type Next, type Peers } from './gate.ts'

/** The whole interface over an open board: plumbing, then every feature. */
export function createApp(board: Board) {
  const pages = board.config.pages === 'on' ? new Pages(board) : undefined
  const representations = representationsOf(board, pages)
  const gate = new Gate(
    board,
    () => verbs,
    () => publicVerbs,
    (exchange, told) => pages?.suit(exchange, told) ?? told,
  )
  const app = new Elysia({
    // Elysia looks for the path from the 8th letter of the URL on, which in https:// is still a slash, or from the 12th,
    // behind which a host of one letter has its path already
    handler: { standardHostname: board.config.tlsCert !== undefined },
    strictPath: true,
  })
    // Elysia types what it wraps as any function
    .wrap(next => (request: Request, server: Peers) => gate.pass(request, server, next as unknown as Next))
    .onError({ as: 'global' }, ({ request, error }) => gate.refuse(request, error))
    .mapResponse({ as: 'global' }, ({ request, responseValue }) => gate.answer(request, responseValue))
    .use(healthRoutes())
    .use(jobRoutes(board, representations))
    .use(categoryRoutes(board))
    .use(termRoutes(board))
    .use(planRoutes(board))
    .use(userRoutes(board))
    .use(resetRoutes(board))
    .use(subscriberRoutes(board))
    .use(logoRoutes(board))
    .use(pages ? pageRoutes(board, pages) : new Elysia())
  const verbs = new Verbs([...app.routes, ...routesOf(representations)])
  const publicVerbs = new Verbs(app.routes.filter(hasLimit))
  return app
}

function representationsOf(board: Board, pages: Pages | undefined): Representations {
  const pictures = new Pictures(board)
  const representations = new Map<string, Represent>([
    ['png', ({ read, exchange }) => pictures.answer(read(), exchange)],
  ])
  if (pages) representations.set('', ({ id, read }) => pages.posting(id, read))
  return representations
}

const routesOf = (representations: Representations) =>
  [...representations.keys()].map(suffix => ({
    method: 'GET',
    path: suffix === '' ? '/jobs/:bare' : `/jobs/:id.${suffix}`,
  }))
