import { MINUTE, timestamp, timestampOrNull } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { folderProblem } from './downloads.ts'
import { type BackupFile, backupFolderOf } from './folder.ts'
import { nextDue } from './schedule.ts'
import type { Backup, Backups } from './schema.ts'

export const presentBackup = ({ name, size, time }: BackupFile): Backup => ({
  file: name,
  size,
  created_at: timestamp(time),
})

/** Returns a board's backups as administrators see them. @throws Problem 'conflict' if the folder can't be read */
export async function presentBackups(board: Board): Promise<Backups> {
  const { config, clock, store } = board
  const { backupDir: folder, backupAt: at, backupKeep: keep } = config
  const files =
    (await backupFolderOf(config)
      ?.list()
      .catch((error: unknown) => {
        throw folderProblem(error)
      })) ?? []
  return {
    schedule:
      folder === undefined
        ? null
        : { folder, at: timeOfDay(at), keep, next_at: timestamp(nextDue(clock(), at)) },
    upload: presentUpload(board),
    last_backup: timestampOrNull(store.lastBackupAt ?? null),
    backups: files.toReversed().map(presentBackup),
  }
}

function presentUpload({ config, store, backups }: Board): Backups['upload'] {
  const { backupS3: location, backupKeyFile: key } = config
  if (!location) return null
  return {
    to: `s3://${location.bucket}/${location.prefix}`,
    encrypted: key !== undefined,
    last_upload: timestampOrNull(store.timeOf('upload') ?? null),
    problem: backups.problem ?? null,
  }
}

/** Formats minutes after midnight as `03:00`. */
const timeOfDay = (minutes: number) => new Date(minutes * MINUTE).toISOString().slice(11, 16)
