import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { readInput } from '../../http/input.ts'
import { draftListQuery } from '../../http/list.ts'
import { accepted } from '../../http/reply.ts'
import { readEvent, report } from './actions.ts'
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
      ({ exchange }) => presentReport(report(board, draftListQuery(exchange, AnalyticsQuery).settle().days)),
      { needs: 'admin', ...analyticsOperations.report },
    )

    .post(
      '/events.json',
      async ({ exchange }) => {
        exchange.view = readEvent(await readInput(exchange, analyticsOperations.record))
        return accepted({ message: 'The page view was heard.' })
      },
      { needs: 'nobody', perMinute: EVENTS_PER_MINUTE, ...analyticsOperations.record },
    )
