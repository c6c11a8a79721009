import { Elysia } from 'elysia'
import type { Board } from '../board.ts'
import { servesHttps } from '../config/config.ts'
import { adminRoutes } from '../features/admin/routes.ts'
import { analyticsRoutes } from '../features/analytics/routes.ts'
import { backupRoutes } from '../features/backups/routes.ts'
import { changeRoutes } from '../features/changes/routes.ts'
import { Desk } from '../features/desk/desk.ts'
import { deskRoutes } from '../features/desk/deskRoutes.ts'
import { docsRoutes } from '../features/docs/routes.ts'
import { exportRoutes } from '../features/exports/routes.ts'
import { funnelRoutes } from '../features/funnel/routes.ts'
import { healthRoutes } from '../features/health/routes.ts'
import { importRoutes } from '../features/imports/routes.ts'
import { getJobForPage, getJobToManage } from '../features/jobs/access.ts'
import { renewalPages, renewalRoutes } from '../features/jobs/renewalRoutes.ts'
import { jobRoutes } from '../features/jobs/routes.ts'
import { statusRoutes } from '../features/jobs/statusRoutes.ts'
import { categoryRoutes, termRoutes } from '../features/labels/routes.ts'
import { logoRoutes } from '../features/logos/routes.ts'
import { mailRoutes } from '../features/mails/routes.ts'
import { metricsRoutes } from '../features/metrics/routes.ts'
import { aggregatorRoutes } from '../features/pages/aggregatorRoutes.ts'
import type { Pages } from '../features/pages/pages.ts'
import { jobPage, ownPageRoutes, pageRoutes } from '../features/pages/routes.ts'
import { planRoutes } from '../features/plans/routes.ts'
import { previewImage } from '../features/previews/routes.ts'
import { resetPages, resetRoutes } from '../features/resets/routes.ts'
import { settingsRoutes } from '../features/settings/routes.ts'
import { batchRoutes } from '../features/sources/batchRoutes.ts'
import { sourcedJobRoutes } from '../features/sources/routes.ts'
import { sourceRoutes } from '../features/sources/sourceRoutes.ts'
import { subscriberPages } from '../features/subscribers/linkRoutes.ts'
import { subscriberRoutes, subscriptionForm } from '../features/subscribers/routes.ts'
import { tokenRoutes } from '../features/tokens/routes.ts'
import { userPages } from '../features/users/linkRoutes.ts'
import { userRoutes } from '../features/users/routes.ts'
import { webhookRoutes } from '../features/webhooks/routes.ts'
import type { RequestContext } from '../http/request/context.ts'
import { listRoutes } from '../http/route.ts'

/** Creates all routes of a board. */
export function routesOf(board: Board, pages: Pages | undefined) {
  const readJob = ({ caller }: RequestContext, id: number) => getJobForPage(board, caller, id)
  const app = new Elysia({
    // Elysia searches the URL for the path from the 8th character on, which in https:// is still a slash. With this option
    // it starts at the 12th, which is too late for a host of one letter.
    handler: { standardHostname: servesHttps(board.config) },
    strictPath: true,
  })
    .use(healthRoutes(board))
    .use(
      jobRoutes(board, {
        '.png': previewImage(board, readJob),
        ...(pages && { '': jobPage(board, pages, readJob) }),
      }),
    )
    .use(statusRoutes(board))
    .use(funnelRoutes(board, ({ caller }, id) => getJobToManage(board, caller, id)))
    .use(renewalRoutes(board))
    .use(sourcedJobRoutes(board))
    .use(sourceRoutes(board))
    .use(batchRoutes(board))
    .use(categoryRoutes(board))
    .use(termRoutes(board))
    .use(planRoutes(board))
    .use(userRoutes(board))
    .use(resetRoutes(board))
    .use(mailRoutes(board))
    .use(importRoutes(board))
    .use(exportRoutes(board))
    .use(backupRoutes(board))
    .use(subscriberRoutes(board))
    .use(logoRoutes(board))
    .use(analyticsRoutes(board))
    .use(settingsRoutes(board))
    .use(changeRoutes(board))
    .use(tokenRoutes(board))
    .use(metricsRoutes(board))
    .use(webhookRoutes(board))
  if (pages) {
    const desk = new Desk(board, pages)
    app
      .use(pageRoutes(board, pages))
      .use(aggregatorRoutes(board))
      .use(ownPageRoutes(board, pages))
      .use(subscriptionForm(board))
      .use(subscriberPages(board))
      .use(renewalPages(board))
      .use(userPages(board))
      .use(resetPages(board))
      .use(deskRoutes(desk))
      .use(adminRoutes(desk))
  }
  return app.use(docsRoutes(board, listRoutes(app.routes)))
}

/** The type for Eden clients: the API without the pages. */
export type Corkboard = ReturnType<typeof routesOf>
