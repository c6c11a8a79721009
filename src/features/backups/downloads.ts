import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { floorToSecond } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { downloadName, replyWithDownload } from '../../http/response/download.ts'
import type { Reply } from '../../http/response/reply.ts'
import { StoreError } from '../../store/storeError.ts'
import { withWorkFolder } from '../../store/workFolder.ts'
import { DELETED_DATA_WARNING, recordTime, UNFINISHED_NAME, writeBackup } from './actions.ts'
import { type BackupFile, backupFolderOf } from './folder.ts'

export const BACKUP_TYPE = 'application/x-tar'
const RETRY_AFTER = 10

/** Replies with a backup of the board as it is now. @throws Problem 'busy', 'full' */
export function replyWithBackup(board: Board, context: RequestContext): Promise<Reply<Blob, 200>> {
  const { config, clock, store, tasks } = board
  const takenAt = floorToSecond(clock())
  return replyWithDownload(context, tasks, {
    kind: 'backup download',
    name: downloadName(config.name, takenAt, 'tar'),
    type: BACKUP_TYPE,
    create: signal =>
      withWorkFolder(store.folder, async folder => {
        await writeBackup(board, takenAt, folder, signal)
        return await fs.open(join(folder, UNFINISHED_NAME), 'r')
      }),
    onSent: () => recordTime(store, 'backup', takenAt),
  })
}

/** Creates a backup in the folder of backups. @throws Problem 'conflict', 'busy', 'full' */
export async function createBackupNow(board: Board): Promise<BackupFile> {
  const { config, clock, tasks, log } = board
  const folder = backupFolderOf(config)
  if (!folder)
    throw new Problem(
      'conflict',
      'There is no folder for backups: the board was started without --backup-dir.',
    )
  if (tasks.isRunning('backup'))
    throw new Problem('busy', 'Another backup is in progress. Please try again.', { retryAfter: RETRY_AFTER })
  const time = floorToSecond(clock())
  try {
    const { name, size, hasDeletedData } = await tasks.run('backup', signal => folder.create(board, signal))
    if (hasDeletedData) log.warn(DELETED_DATA_WARNING)
    return { name, size, time }
  } catch (error) {
    throw folderProblem(error)
  }
}

/** Turns an error about the folder, which only the person who runs the board can fix. Returns others unchanged. */
export const folderProblem = (error: unknown) =>
  error instanceof StoreError ? new Problem('conflict', error.message) : error
