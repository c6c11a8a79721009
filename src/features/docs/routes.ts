import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import prose from '../../assets/docs/interface.md' with { type: 'text' }
import { lazy } from '../../base/lazy.ts'
import { notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { version } from '../../config/version.ts'
import { openApiDocument } from '../../http/openapi/document.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { Reply } from '../../http/response/reply.ts'
import { hiddenRoute, type ListedRoute, listRoutes, route } from '../../http/route.ts'
import { DocsPage } from './page.ts'

/** The parts of the document that clients may rely on. */
interface OpenApiDocument {
  openapi: string
  info: object
  paths: object
  components: object
}

/** Creates the routes of the description. @param routes the other routes of the API, which it describes too */
export function docsRoutes(board: Board, routes: readonly ListedRoute[]) {
  const app = new Elysia({ name: 'docs' })
    .get(
      '/openapi.json',
      ...route(
        {
          id: 'getDescription',
          access: 'public',
          tag: 'Board',
          summary: 'Read this description',
          responses: {
            200: {
              description: 'An OpenAPI 3.1 document.',
              schema: Type.Unsafe<OpenApiDocument>({
                type: 'object',
                required: ['openapi', 'info', 'paths', 'components'],
              }),
              example: {
                openapi: '3.1.0',
                info: { title: 'Corkboard', version: '0.1.0' },
                paths: {},
                components: {},
              },
            },
          },
        },
        () => new Reply<OpenApiDocument, 200>(description().document),
      ),
    )

    .get(
      '/docs',
      ...route(
        {
          id: 'getDocs',
          access: 'public',
          tag: 'Board',
          summary: 'Read this description as a page',
          description: 'A page for people, who can send requests from it.',
          responses: {
            200: {
              description: 'The page.',
              schema: Type.String(),
              type: 'text/html',
              example: '<!doctype html>…',
            },
          },
        },
        () => description().page.reply(),
      ),
    )

    .get(
      '/docs/:name',
      ...hiddenRoute(({ params }) => {
        const file = description().page.files.reply(params.name)
        if (!file) throw notFound('file')
        return file
      }),
    )

  // Created by the first request for it: it takes 20 ms, which would delay each start and each change of a setting.
  const description = lazy(() => {
    const { config, links } = board
    const info = { name: config.name, version, base: links.base, prose }
    const document = EncodedBody.json(openApiDocument(info, [...routes, ...listRoutes(app.routes)]))
    return { document, page: new DocsPage(config.accent, document) }
  })
  return app
}
