import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { accepted } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { itemResponse, messageResponse } from '../../http/routeDescription.ts'
import type { FunnelStep } from '../../store/countRows.ts'
import { analyticsReport, pageViewOf } from './actions.ts'
import { presentFunnel, presentReport } from './present.ts'
import { Analytics, AnalyticsQuery, Funnel, NewEvent } from './schema.ts'

/** The limit of reported page views, high enough for a front end that reports for many visitors. */
const EVENTS_PER_MINUTE = 60
const RECORDED: Readonly<Record<FunnelStep, string>> = {
  view: 'Page view recorded.',
  impression: 'Impression recorded.',
  apply: 'Apply click recorded.',
}

export const analyticsRoutes = (board: Board) =>
  new Elysia({ name: 'analytics' })
    .get(
      '/analytics.json',
      ...route(
        {
          id: 'getAnalytics',
          access: 'admin',
          scope: 'analytics',
          tag: 'Analytics',
          summary: 'View statistics',
          description:
            'Page views of the last days in UTC, including today. Bots, administrators and owners of the job are not counted. Views that are not yet on disk are included.',
          query: AnalyticsQuery,
          responses: { 200: itemResponse(Analytics, 'The statistics.') },
        },
        ({ input }) => presentReport(analyticsReport(board, input.days)),
      ),
    )

    .get(
      '/analytics/funnel.json',
      ...route(
        {
          id: 'getFunnel',
          access: 'admin',
          scope: 'analytics',
          tag: 'Analytics',
          summary: 'View the steps to applications',
          description:
            'How often jobs were shown in lists, were read, and had Apply clicked, all together, on the last days in UTC, including today.',
          query: AnalyticsQuery,
          responses: { 200: itemResponse(Funnel, 'The counts by day.') },
        },
        ({ input }) => presentFunnel(analyticsReport(board, input.days)),
      ),
    )

    .post(
      '/events.json',
      ...route(
        {
          id: 'recordEvent',
          access: 'public',
          perNetwork: EVENTS_PER_MINUTE,
          tag: 'Analytics',
          summary: 'Record a page view, an impression or an apply click',
          description:
            "For a board's own front end, in a browser or on a server. With `job`, the event counts for that job too; impressions and apply clicks count for the job alone. Only crawlers, administrators and the job's owner are not counted. No address, cookie or anything else that identifies a visitor is stored.",
          body: NewEvent,
          writes: false,
          responses: { 202: messageResponse(RECORDED.view, 'The event was recorded.') },
        },
        context => {
          context.view = pageViewOf(board, context.input)
          return accepted(RECORDED[context.input.valueOrThrow().kind])
        },
      ),
    )
