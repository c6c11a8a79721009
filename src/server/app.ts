import { Elysia } from 'elysia'
import type { Board } from '../board.ts'
import { analyticsRoutes } from '../features/analytics/routes.ts'
import { countView } from '../features/analytics/rules.ts'
import { presentOpenApi } from '../features/docs/present.ts'
import { docsRoutes } from '../features/docs/routes.ts'
import { healthRoutes } from '../features/health/routes.ts'
import { readyJobs } from '../features/jobs/ready.ts'
import { jobRoutes, type Represent, type Representations } from '../features/jobs/routes.ts'
import { categoryRoutes, termRoutes } from '../features/labels/routes.ts'
import { logoRoutes } from '../features/logos/routes.ts'
import { Pages } from '../features/pages/pages.ts'
import { pageRoutes } from '../features/pages/routes.ts'
import { planRoutes } from '../features/plans/routes.ts'
import { pictureOperation } from '../features/previews/operations.ts'
import { Pictures } from '../features/previews/pictures.ts'
import { resetRoutes } from '../features/resets/routes.ts'
import { subscriberRoutes } from '../features/subscribers/routes.ts'
import { userRoutes } from '../features/users/routes.ts'
import { limitOf, type Route } from '../http/auth.ts'
import { AllowedMethods } from '../http/paths.ts'
import { type Count, Gate, HERE, type Next } from './gate.ts'

/**
 * The whole interface over an open board: plumbing, then every feature.
 * @param peers tells whom requests come from; Elysia tells what it wraps nothing of the server
 * @param count counts what was shown; the benchmark of counting leaves that out
 */
export function createApp(board: Board, peers = HERE, count: Count = countView) {
  const pages = board.config.pages === 'on' ? new Pages(board) : undefined
  const representations = representationsOf(board, pages)
  const gate = new Gate(
    board,
    peers,
    () => verbs,
    () => publicVerbs,
    context => readyJobs(board, context),
    (context, told) => pages?.asPage(context, told) ?? told,
    count,
  )
  const app = new Elysia({
    // Elysia looks for the path from the 8th letter of the URL on, which in https:// is still a slash, or from the 12th,
    // behind which a host of one letter has its path already
    handler: { standardHostname: board.config.tlsCert !== undefined },
    strictPath: true,
  })
    // Elysia types what it wraps as any function
    .wrap(next => (request: Request) => gate.pass(request, next as unknown as Next))
    .onError({ as: 'global' }, ({ request, error }) => gate.refuse(request, error))
    .mapResponse({ as: 'global' }, ({ request, responseValue }) => gate.answer(request, responseValue))
    .use(healthRoutes(board))
    .use(jobRoutes(board, representations))
    .use(categoryRoutes(board))
    .use(termRoutes(board))
    .use(planRoutes(board))
    .use(userRoutes(board))
    .use(resetRoutes(board))
    .use(subscriberRoutes(board))
    .use(logoRoutes(board))
    .use(analyticsRoutes(board))
    .use(docsRoutes(board, () => description))
  if (pages) app.use(pageRoutes(board, pages))
  const routes: readonly Route[] = [...app.routes, ...routesOf(representations)]
  const verbs = new AllowedMethods(routes)
  const publicVerbs = new AllowedMethods(app.routes.filter(route => limitOf(route) !== undefined))
  const description = presentOpenApi(board, routes)
  return app
}

/** What clients of Elysia's Eden are typed by: the interface without its pages, which a board may have or not. */
export type Corkboard = ReturnType<typeof createApp>

function representationsOf(board: Board, pages: Pages | undefined): Representations {
  const pictures = new Pictures(board)
  const representations = new Map<string, Represent>([
    ['png', ({ read, exchange: context }) => pictures.answer(read(), context)],
  ])
  if (pages) representations.set('', ({ id, exchange: context, read }) => pages.posting(id, context, read))
  return representations
}

/** What a job can be had as beside JSON, as if each were a route of its own. */
const routesOf = (representations: Representations): Route[] =>
  [...representations.keys()].map(suffix =>
    suffix === ''
      ? { method: 'GET', path: '/jobs/:bare', hooks: { detail: { hide: true } } }
      : {
          method: 'GET',
          path: `/jobs/:id.${suffix}`,
          hooks: { detail: { 'x-needs': 'nobody', ...pictureOperation.detail } },
        },
  )
