import type { Database, RootDatabase } from 'lmdb'

/** The databases that all tables share. */
export interface Shelves {
  readonly env: RootDatabase
  /** Table name → the last id given out. */
  readonly counters: Database<number, string>
  /** [table, column, parent's id, id] → 1. */
  readonly references: Database<1, [string, string, number, number]>
  /** [table, column, folded value] → id. */
  readonly uniques: Database<number, [string, string, string]>
}
