import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { Reply } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { downloadResponse, itemResponse } from '../../http/routeDescription.ts'
import { BACKUP_TYPE, createBackupNow, replyWithBackup } from './downloads.ts'
import { presentBackup, presentBackups } from './present.ts'
import { Backup, Backups } from './schema.ts'

const rules = { access: 'admin', tag: 'Board' } as const
const NO_SPACE = { full: 'There is not enough disk space for a backup.' }

export const backupRoutes = (board: Board) =>
  new Elysia({ name: 'backups' })
    .get(
      '/backups.json',
      ...route(
        {
          ...rules,
          id: 'listBackups',
          summary: 'List the daily backups',
          responses: { 200: itemResponse(Backups, 'The backups and their schedule.') },
          errors: { conflict: "The folder of `--backup-dir` can't be read." },
        },
        () => presentBackups(board),
      ),
    )

    .post(
      '/backups.json',
      ...route(
        {
          ...rules,
          id: 'createBackup',
          summary: 'Make a backup now',
          description: 'In the folder of the daily backups, of which the oldest are removed.',
          responses: { 201: itemResponse(Backup, 'The backup was made.') },
          errors: {
            ...NO_SPACE,
            conflict: "The board was started without `--backup-dir`, or the folder can't be used.",
          },
        },
        async ({ request, services }) => {
          services.peers.holdOpen?.(request)
          return new Reply<Backup, 201>(presentBackup(await createBackupNow(board)), 201)
        },
      ),
    )

    .get(
      '/backup.tar',
      ...route(
        {
          ...rules,
          id: 'downloadBackup',
          summary: 'Download a backup',
          description:
            'A tar archive of records and logos with checksums, as `corkboard backup` writes it and `corkboard restore` reads it. It contains password hashes. One client at a time can download it.',
          responses: { 200: downloadResponse(BACKUP_TYPE, 'The backup, as an attachment.') },
          errors: NO_SPACE,
        },
        context => replyWithBackup(board, context),
      ),
    )
