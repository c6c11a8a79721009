import { Elysia } from 'elysia'
import { version } from '../../config/version.ts'
import { guard } from '../../http/auth.ts'

/** While the board can't serve, the server answers 503 before any route is asked. */
export const healthRoutes = () =>
  new Elysia({ name: 'health' })
    .use(guard)
    .get('/health.json', () => ({ status: 'ok', version }), { needs: 'nobody' })
