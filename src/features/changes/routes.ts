import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { route } from '../../http/route.ts'
import { itemResponse } from '../../http/routeDescription.ts'
import { readChanges, readPublicChanges } from './feed.ts'
import { ChangeMessage, Changes, ChangesQuery, PublicChanges, PublicChangesQuery } from './schema.ts'

const gone = 'The changes after this seq are no longer kept. `earliest` is the first that is.'

export const changeRoutes = (board: Board) =>
  new Elysia({ name: 'changes' })
    .get(
      '/changes.json',
      ...route(
        {
          id: 'listChanges',
          access: 'admin',
          scope: 'changes',
          tag: 'Board',
          summary: 'Follow the changes of all records',
          description:
            'In their order, with the records as they are now. To begin, read the full lists, whose `X-Change-Seq` header is the `after` of the first request. With `wait`, the response is sent when there is a change. A deleted record that an administrator puts back is created again, with its id.',
          query: ChangesQuery,
          responses: { 200: itemResponse(Changes, 'The changes, and where to continue.') },
          errors: { gone },
          webhook: {
            name: 'change',
            summary: 'Receive a change',
            description:
              'What a webhook sends to its URL. A test has the type `webhook.test`, and a message as its data.',
            schema: ChangeMessage,
          },
        },
        context => {
          context.services.peers.holdOpen?.(context.request)
          return readChanges(board, context, context.input)
        },
      ),
    )

    .get(
      '/jobs/changes.json',
      ...route(
        {
          id: 'listJobChanges',
          access: 'public',
          scope: 'jobs:read',
          tag: 'Jobs',
          summary: 'Follow the changes of active jobs',
          description: 'The last 30 days: jobs that were published, changed, and closed for whatever reason.',
          query: PublicChangesQuery,
          responses: { 200: itemResponse(PublicChanges, 'The changes, and where to continue.') },
          errors: { gone },
        },
        context => readPublicChanges(board, context.input),
      ),
    )
