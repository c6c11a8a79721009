import { Elysia } from 'elysia'
import { notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import type { EncodedBody } from '../../http/response/encodedBody.ts'
import { Reply } from '../../http/response/reply.ts'
import { type Description, documentOperation, pageOperation } from './operations.ts'
import { DocsPage } from './page.ts'

/** @param document gives the description of the interface, which these routes are part of */
export function docsRoutes({ config }: Board, document: () => EncodedBody<Uint8Array>) {
  const page = new DocsPage(config.accent, document)
  return new Elysia({ name: 'docs' })
    .use(guard)

    .get('/openapi.json', () => new Reply<Description, 200>(document()), {
      needs: 'nobody',
      ...documentOperation,
    })

    .get('/docs', ({ exchange: context }) => page.read(context), { needs: 'nobody', ...pageOperation })

    .get(
      '/docs/:name',
      ({ params }) => {
        const file = page.files.answer(params.name)
        if (!file) throw notFound('file')
        return file
      },
      { needs: 'nobody', detail: { hide: true } },
    )
}
