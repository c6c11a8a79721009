import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { validateQuery } from '../../http/response/list.ts'
import { route } from '../../http/route.ts'
import { itemResponse } from '../../http/routeDescription.ts'
import { requireConfirmed } from '../jobs/access.ts'
import { resultsOrThrow } from './batch.ts'
import { Batch, BatchQuery, BatchResults } from './batchSchema.ts'
import { runBatch } from './idempotency.ts'

export const batchRoutes = (board: Board) =>
  new Elysia({ name: 'batches' }).post(
    '/jobs/batch.json',
    ...route(
      {
        id: 'runBatch',
        access: 'user',
        tag: 'Jobs',
        summary: 'Create, update, close and delete many jobs',
        description:
          'Each operation has the rules and the status of the request that does the same. An operation that fails changes nothing, and the others are carried out. With `atomic`, all are carried out or, if one fails, none: then the response is 422 and has the `results` of all. Jobs that are created count as those of `POST /jobs.json`, 60 a minute for each account, administrators excepted. One request may create more, but then the account has to wait for a minute. At most 500 operations and 8 MiB.',
        isLarge: true,
        isIdempotent: true,
        body: Batch,
        query: BatchQuery,
        requires: ({ caller }) => requireConfirmed(board, caller),
        responses: { 200: itemResponse(BatchResults, 'The result of each operation.') },
        errors: {
          forbidden: "The account's e-mail address is not confirmed yet.",
          invalid:
            'The operations are no list, an atomic batch was undone, or the key was used for another batch.',
        },
      },
      async context => {
        const { operations } = context.input.valueOrThrow()
        const { atomic } = validateQuery(context, BatchQuery).valueOrThrow()
        const results = resultsOrThrow(await runBatch(board, context, { operations, atomic }))
        return results satisfies BatchResults
      },
    ),
  )
