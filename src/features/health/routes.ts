import { Elysia } from 'elysia'
import { isAdmin } from '../../base/caller.ts'
import { timestampOrNull } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { version } from '../../config/version.ts'
import { route } from '../../http/route.ts'
import { itemResponse } from '../../http/routeDescription.ts'
import { certificateHealth } from './certificate.ts'
import { Health } from './schema.ts'

/** Creates the route of the health check. While the board is starting or stopping, the listener replies with 503. */
export const healthRoutes = (board: Board) =>
  new Elysia({ name: 'health' }).get(
    '/health.json',
    ...route(
      {
        id: 'getHealth',
        access: 'public',
        tag: 'Board',
        summary: "Check the board's health",
        description: 'While the board is starting or stopping, this is 503.',
        forAccounts:
          'Administrators see when the last backup was made and uploaded, why the daily one failed, and the state of the certificate.',
        responses: { 200: itemResponse(Health, 'The board is serving requests.') },
      },
      ({ caller }): Health => {
        const health: Health = { status: 'ok', version }
        if (!isAdmin(caller)) return health
        const { store, backups } = board
        return {
          ...health,
          last_backup: timestampOrNull(store.lastBackupAt ?? null),
          last_upload: timestampOrNull(store.timeOf('upload') ?? null),
          backup_problem: backups.problem ?? null,
          ...certificateHealth(board),
        }
      },
    ),
  )
