import type { Shelves } from './shelves.ts'

/**
 * What brings a store from each version to the next: the first entry from 1 to 2, and so on. Append only; an entry that
 * was released is never changed. All that are due run in one transaction.
 */
const MIGRATIONS: readonly ((shelves: Shelves) => void)[] = []

/** The version of the stores that this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length + 1

/** Brings the store from version `from` to the newest; to be called inside a transaction. */
export function migrate(shelves: Shelves, from: number): void {
  for (const migration of MIGRATIONS.slice(from - 1)) migration(shelves)
}
