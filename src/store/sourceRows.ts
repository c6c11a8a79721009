import type { Row } from './rows.ts'

/** A source of jobs outside of the board, such as an employer's own system. */
export interface SourceRow extends Row {
  readonly name: string
  /** The account that used it first. Null if that was a command, or the account was deleted. */
  readonly userId: number | null
  readonly createdAt: number
  /** Whether the last run failed. */
  readonly failed: boolean
}

/** What is remembered of a job between two runs of its source, under the job's id. */
export interface SourceJobRow extends Row {
  /** The hash of what the source sent in the last run that changed the job; `''` if it came in another way. */
  readonly sentHash: string
  /** The hash of the job's content as the source left it. If it differs now, somebody has edited the job. */
  readonly contentHash: string
  /** The `closedAt` of the job if its source closed it; null otherwise. */
  readonly closedAt: number | null
}

/** A posting that a run refused. */
export interface RefusedPosting {
  /** Its place in the set, from 1. */
  readonly n: number
  /** Null if it has none, or an invalid one. */
  readonly external_id: string | null
  readonly errors: Readonly<Record<string, string[]>>
}

/** The numbers of jobs by what a run did with them. */
export interface RunCounts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly reopened: number
  readonly closed: number
}

/** A run: the synchronization of all jobs of a source. */
export interface SourceRunRow extends Row, RunCounts {
  readonly sourceId: number
  readonly startedAt: number
  readonly endedAt: number
  readonly failed: boolean
  /** The outcome, in sentences. */
  readonly message: string
  /** The number of jobs that were left alone, because somebody has edited them. */
  readonly detached: number
  readonly refused: number
  /** The first of the refused postings. */
  readonly refusals: readonly RefusedPosting[]
}

/** The result of one operation of a batch. */
export interface OperationResult {
  /** As the HTTP status of a request that does the same. */
  readonly status: number
  /** The id of the job; null if there is none. */
  readonly id: number | null
  /** The messages for each invalid field. */
  readonly errors: Readonly<Record<string, string[]>>
  /** Why the operation failed. */
  readonly error?: string
}

/** A batch with an idempotency key. Its results are stored together with its changes. */
export interface BatchRow extends Row {
  /** The hash of the account and the key. */
  readonly hash: string
  readonly userId: number
  /** The hash of what was sent. */
  readonly bodyHash: string
  readonly createdAt: number
  /** The results so far. */
  readonly results: readonly OperationResult[]
  /** Null until all operations are done. */
  readonly status: number | null
}
