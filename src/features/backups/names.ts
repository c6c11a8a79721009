import { parseTimestamp, timestamp } from '../../base/clock.ts'

/** The names of our backups. Other files beside them are not touched. Uploaded ones may be encrypted. */
const BACKUP_NAME = /^corkboard-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar(\.enc)?$/

export const ENCRYPTED = '.enc'

/** Returns the name of a backup at a time. */
export const nameAt = (now: number) => `corkboard-${timestamp(now).slice(0, 19).replaceAll(':', '-')}Z.tar`

/** Returns the time in a backup's name, in milliseconds; undefined if it isn't one. */
export function timeIn(name: string): number | undefined {
  const [, day, hours, minutes, seconds] = BACKUP_NAME.exec(name) ?? []
  return day === undefined ? undefined : parseTimestamp(`${day}T${hours}:${minutes}:${seconds}Z`)
}
