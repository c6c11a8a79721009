import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { readInput } from '../../http/request/input.ts'
import { validateQuery } from '../../http/response/list.ts'
import { accepted } from '../../http/response/reply.ts'
import { analyticsReport, readEvent } from './actions.ts'
import { analyticsOperations } from './operations.ts'
import { presentReport } from './present.ts'
import { AnalyticsQuery } from './schema.ts'

/** A front end tells of many pages in a minute. */
const EVENTS_PER_MINUTE = 60

export const analyticsRoutes = (board: Board) =>
  new Elysia({ name: 'analytics' })
    .use(guard)

    .get(
      '/analytics.json',
      ({ exchange: context }) =>
        presentReport(analyticsReport(board, validateQuery(context, AnalyticsQuery).valueOrThrow().days)),
      { needs: 'admin', ...analyticsOperations.report },
    )

    .post(
      '/events.json',
      async ({ exchange: context }) => {
        context.view = readEvent(await readInput(context, analyticsOperations.record))
        return accepted({ message: 'The page view was heard.' })
      },
      { needs: 'nobody', perMinute: EVENTS_PER_MINUTE, ...analyticsOperations.record },
    )
