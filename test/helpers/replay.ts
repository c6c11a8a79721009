import {
  JOURNALED,
  type JournaledTable,
  type JournalRow,
  subjectOf,
} from '../../src/store/journal/journalRow.ts'
import type { Row } from '../../src/store/rows.ts'
import { Store } from '../../src/store/store.ts'
import type { Table } from '../../src/store/table.ts'

export const JOURNALED_TABLES = Object.keys(JOURNALED) as JournaledTable[]

/** Returns the rows of the journaled tables, without password hashes, which aren't journaled. */
export const journaledRows = ({ read }: Store) =>
  Object.fromEntries(
    JOURNALED_TABLES.map(name => [name, read[name].all().map(row => ({ ...row, passwordHash: undefined }))]),
  )

/** Applies entries to a store in one transaction. Accounts get no password. */
export const replay = (store: Store, entries: readonly JournalRow[]): Promise<void> =>
  store.write(tables => {
    for (const entry of entries) {
      const { table: name, id } = subjectOf(entry)
      // An entry's columns are those of its table.
      const table = tables[name] as unknown as Table<Row>
      const { before, after } = entry
      if (after) {
        const row = before ? table.get(id) : { passwordHash: '' }
        if (!row) throw new Error(`entry ${entry.id} changes a row that does not exist`)
        table.put({ ...row, ...after, id })
      } else if (before && table.has(id)) table.remove(id)
    }
  })

/** Replays a journal into an empty store in a folder, and returns its rows. */
export async function replayed(folder: string, entries: readonly JournalRow[]): Promise<unknown> {
  const store = await Store.open(folder)
  try {
    await replay(store, entries)
    return journaledRows(store)
  } finally {
    await store.close()
  }
}
