import { DAY } from '../../base/clock.ts'
import { loggable } from '../../base/text.ts'
import type { Board } from '../../board.ts'

/**
 * Logs that a backup failed, shows it in the health, and tells the administrators by e-mail, once a day.
 * @param reason a sentence without secrets
 */
export async function reportFailure(board: Board, reason: string): Promise<void> {
  const { backups, log, store, mail, clock } = board
  backups.problem = reason
  backups.failures++
  log.error('backup failed', { cause: reason })
  const now = clock()
  const mailedAt = store.timeOf('backupMail') ?? -Infinity
  // A time in the future is from when the clock was wrong.
  if (mailedAt <= now && now < mailedAt + DAY) return
  try {
    await store.write(tables =>
      mail.outbox.enqueueForAdmins(tables, userId => ({
        kind: 'backupFailed',
        userId,
        reason: loggable(reason),
      })),
    )
    await store.recordTime('backupMail', now)
  } catch (error) {
    log.warn('the administrators could not be told about it', { cause: String(error) })
  }
}
