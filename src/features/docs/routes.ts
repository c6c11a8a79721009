import { Elysia } from 'elysia'
import { missing } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import type { Rendered } from '../../http/rendered.ts'
import { Reply } from '../../http/reply.ts'
import { type Description, documentOperation, pageOperation } from './operations.ts'
import { DocsPage } from './page.ts'

/** @param document gives the description of the interface, which these routes are part of */
export function docsRoutes({ config }: Board, document: () => Rendered<Uint8Array>) {
  const page = new DocsPage(config.accent, document)
  return new Elysia({ name: 'docs' })
    .use(guard)

    .get('/openapi.json', () => new Reply<Description, 200>(document()), {
      needs: 'nobody',
      ...documentOperation,
    })

    .get('/docs', ({ exchange }) => page.read(exchange), { needs: 'nobody', ...pageOperation })

    .get(
      '/docs/:name',
      ({ params }) => {
        const file = page.files.answer(params.name)
        if (!file) throw missing('file')
        return file
      },
      { needs: 'nobody', detail: { hide: true } },
    )
}
