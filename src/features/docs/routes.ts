import { Elysia } from 'elysia'
import { guard } from '../../http/auth.ts'
import type { Rendered } from '../../http/rendered.ts'
import { documentOperation } from './operations.ts'

/** @param document gives the description of the interface, which these routes are part of */
export const docsRoutes = (document: () => Rendered) =>
  new Elysia({ name: 'docs' })
    .use(guard)
    .get('/openapi.json', document, { needs: 'nobody', ...documentOperation })
