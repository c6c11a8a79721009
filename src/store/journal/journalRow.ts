import type { Row } from '../rows.ts'

/**
 * Who made a change: an account, by itself or with an access token, a run of a source, a command, or the board itself, also
 * on behalf of somebody who isn't signed in. The id is that of the account, the token or the source.
 */
export type Actor =
  { readonly kind: 'user' | 'token' | 'source'; readonly id: number } | { readonly kind: 'system' | 'cli' }

export const SYSTEM: Actor = { kind: 'system' }
export const CLI: Actor = { kind: 'cli' }

/** The journaled tables, each with the column in which an entry has the id of its record. */
export const JOURNALED = {
  jobs: 'jobId',
  categories: 'categoryId',
  terms: 'termId',
  plans: 'planId',
  users: 'userId',
  subscribers: 'subscriberId',
  sourceRuns: 'sourceRunId',
} as const
export type JournaledTable = keyof typeof JOURNALED

export const CHANGE_TYPES = [
  'job.created',
  'job.submitted',
  'job.published',
  'job.updated',
  'job.refused',
  'job.filled',
  'job.closed',
  'job.reopened',
  'job.renewed',
  'job.expiring',
  'job.expired',
  'job.deleted',
  'category.created',
  'category.updated',
  'category.deleted',
  'term.created',
  'term.updated',
  'term.deleted',
  'plan.created',
  'plan.updated',
  'plan.archived',
  'plan.activated',
  'plan.deleted',
  'user.created',
  'user.updated',
  'user.deleted',
  'subscriber.created',
  'subscriber.updated',
  'subscriber.deleted',
  'source.run',
] as const
export type ChangeType = (typeof CHANGE_TYPES)[number]

export const PUBLIC_CHANGE_TYPES = ['job.published', 'job.changed', 'job.closed'] as const
export type PublicChangeType = (typeof PUBLIC_CHANGE_TYPES)[number]

/** Some columns of a row, as they were at the time. */
export type JournaledColumns = Readonly<Record<string, unknown>>

/**
 * An entry of the journal, whose id is its seq. If a change means several things, each has an entry, and only the first has
 * columns: all of a new or deleted row, otherwise those that changed. Password hashes are never journaled.
 */
export interface JournalRow extends Row, Partial<Record<(typeof JOURNALED)[JournaledTable], number>> {
  readonly at: number
  /** Missing if the change is only about mails that the board sent. */
  readonly type?: ChangeType
  /** Missing if the change makes no difference to visitors. */
  readonly publicType?: PublicChangeType
  readonly actor: Actor
  readonly before?: JournaledColumns
  readonly after?: JournaledColumns
}

/** An entry that says what changed. */
export type TypedEntry = JournalRow & { readonly type: ChangeType }

/** Returns the table and the id of the record that an entry is about. */
export function subjectOf(entry: JournalRow): { readonly table: JournaledTable; readonly id: number } {
  for (const [table, column] of Object.entries(JOURNALED)) {
    const id = entry[column]
    // The names are those of the journaled tables.
    if (id !== undefined) return { table: table as JournaledTable, id }
  }
  throw new Error(`Entry ${entry.id} of the journal has no record.`)
}
