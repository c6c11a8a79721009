import { Elysia } from 'elysia'
import { guard } from '../../http/auth.ts'
import type { Rendered } from '../../http/rendered.ts'
import { Reply } from '../../http/reply.ts'
import { type Description, documentOperation } from './operations.ts'

/** @param document gives the description of the interface, which these routes are part of */
export const docsRoutes = (document: () => Rendered) =>
  new Elysia({ name: 'docs' })
    .use(guard)
    .get('/openapi.json', () => new Reply<Description, 200>(document()), {
      needs: 'nobody',
      ...documentOperation,
    })
