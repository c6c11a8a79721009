import type { Database, RootDatabase } from 'lmdb'

/** The LMDB environment and the databases that all tables share. */
export interface Databases {
  readonly env: RootDatabase
  /** Table name → the last id that was assigned. */
  readonly counters: Database<number, string>
  /** [table, column, parent's id, id] → 1. */
  readonly references: Database<1, [string, string, number, number]>
  /** [table, column, folded value] → id. */
  readonly uniques: Database<number, [string, string, string]>
  /** The version of the store and the time of the last backup. */
  readonly meta: Database<number, string>
}
