import { Elysia } from 'elysia'
import { isAdmin } from '../../base/caller.ts'
import { timestamp } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { version } from '../../config/version.ts'
import { guard } from '../../http/auth.ts'
import { healthOperation } from './operations.ts'
import type { Health } from './schema.ts'

/** While the board can't serve, the server answers 503 before any route is asked. */
export const healthRoutes = ({ store }: Board) =>
  new Elysia({ name: 'health' }).use(guard).get(
    '/health.json',
    ({ caller }) => {
      const health: Health = { status: 'ok', version }
      if (!isAdmin(caller)) return health
      const at = store.lastBackupAt
      return { ...health, last_backup: at === undefined ? null : timestamp(at) }
    },
    { needs: 'nobody', ...healthOperation },
  )
