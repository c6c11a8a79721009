import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { pagedList } from '../../http/response/list.ts'
import { PagingQuery } from '../../http/response/paging.ts'
import { Reply } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { itemResponse, listResponse } from '../../http/routeDescription.ts'
import { getImport, IMPORT_FILE, listImports, startImport } from './actions.ts'
import { presentImport } from './present.ts'
import { Import, ImportQuery } from './schema.ts'

const rules = { access: 'admin', tag: 'Board' } as const

export const importRoutes = (board: Board) =>
  new Elysia({ name: 'imports' })
    .post(
      '/imports.json',
      ...route(
        {
          ...rules,
          id: 'startImport',
          summary: 'Import jobs from a file',
          description:
            'The rows are those of `corkboard import`: jobs with the fields of `POST /jobs.json`, where category, term and plan can also be names, or the lines of an export. First all rows are checked. If one has errors, nothing is imported, unless `keep_going` is true. Then the rows are stored, a few hundred at a time: while the server runs, an import is not one transaction, and if it fails in between, the rows before that stay. The response comes as soon as the file is received; the import has its own URL.',
          query: ImportQuery,
          upload: IMPORT_FILE,
          responses: {
            202: {
              ...itemResponse(Import, 'The import has started.'),
              headers: ['Location'],
            },
          },
          errors: { conflict: 'Another import is running.' },
        },
        async context => {
          const running = presentImport(await startImport(board, context))
          return new Reply<Import, 202>(running, 202, {
            location: board.links.to(`/imports/${running.id}.json`),
          })
        },
      ),
    )

    .get(
      '/imports.json',
      ...route(
        {
          ...rules,
          id: 'listImports',
          summary: 'List the last imports',
          description: 'Up to ten, until the server stops.',
          query: PagingQuery,
          responses: { 200: listResponse(Import, 'The imports, newest first.') },
        },
        context => pagedList(context, board.links, listImports(board), presentImport),
      ),
    )

    .get(
      '/imports/:id',
      ...route(
        {
          ...rules,
          id: 'getImport',
          summary: 'Follow an import',
          description: 'It is forgotten when the server stops, or after ten others.',
          responses: { 200: itemResponse(Import, 'The import and its progress.') },
        },
        ({ params }) => presentImport(getImport(board, params.id)),
      ),
    )
