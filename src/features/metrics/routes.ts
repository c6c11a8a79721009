import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { METRICS_PATH } from '../../http/paths.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { Reply } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { METRICS_TYPE } from './exposition.ts'
import { metricsText } from './metrics.ts'
import { requireMetricsAccess } from './rules.ts'

export const metricsRoutes = (board: Board) =>
  new Elysia({ name: 'metrics' }).get(
    METRICS_PATH,
    ...route(
      {
        id: 'getMetrics',
        access: 'public',
        tag: 'Board',
        summary: 'Read metrics for Prometheus',
        description:
          'Requests by route and status, writes, jobs, search, caches, mails, webhooks, backups, disk and memory. For programs on the same machine, without a proxy in between, or with the token of `--metrics-token` as `Authorization: Bearer TOKEN`.',
        responses: {
          200: {
            description: "Prometheus' text format.",
            schema: Type.String(),
            type: METRICS_TYPE,
            example: '# HELP corkboard_jobs Jobs by status.\n# TYPE corkboard_jobs gauge\n…',
          },
        },
        errors: { forbidden: 'The request came from elsewhere, without the token.' },
      },
      context => {
        requireMetricsAccess(context, board.config.metricsToken)
        const text = metricsText(board, context.services.requestCounts)
        return new Reply<string, 200>(EncodedBody.text(text, METRICS_TYPE))
      },
    ),
  )
