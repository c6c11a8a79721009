import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { route } from '../../http/route.ts'
import { downloadResponse } from '../../http/routeDescription.ts'
import { EXPORT_TYPE, replyWithExport } from './actions.ts'

export const exportRoutes = (board: Board) =>
  new Elysia({ name: 'exports' }).get(
    '/export.jsonl',
    ...route(
      {
        id: 'downloadExport',
        access: 'admin',
        tag: 'Board',
        summary: 'Download the whole board as JSON Lines',
        description:
          'As `corkboard export` writes it: everything except passwords, statistics and the links in e-mails, as it is at one moment. An import reads it back. One client at a time can download it.',
        responses: { 200: downloadResponse(EXPORT_TYPE, 'The export, as an attachment.') },
        errors: { full: 'There is not enough disk space to create the file.' },
      },
      context => replyWithExport(board, context),
    ),
  )
