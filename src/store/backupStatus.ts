/** What is known about backups since the start, as the health and the metrics show it. */
export class BackupStatus {
  /** Why the last attempt failed, in a sentence; undefined after a success. */
  problem: string | undefined
  /** The number of attempts that failed. */
  failures = 0
}
