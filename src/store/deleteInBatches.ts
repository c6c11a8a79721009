import type { Store } from './store.ts'
import type { Table, TableReader } from './table.ts'
import type { Rows, TableName, TableReaders } from './tables.ts'

/** How many rows are looked at, and removed at most, before other work has its turn. */
const BATCH_SIZE = 100

/**
 * Removes the rows of a table that are over, in small transactions.
 * @param shouldDelete is asked again inside the transaction, since a row may have changed in between
 */
export async function deleteInBatches<N extends TableName>(
  store: Store,
  name: N,
  shouldDelete: (row: Rows[N], tables: TableReaders) => boolean,
): Promise<void> {
  // N names both the table and the shape of its rows; TypeScript does not follow that through the union
  const reader = store.read[name] as unknown as TableReader<Rows[N]>
  for (const batch of reader.batches(BATCH_SIZE)) {
    const ids = batch.filter(row => shouldDelete(row, store.read)).map(({ id }) => id)
    await new Promise(resolve => setImmediate(resolve))
    if (ids.length > 0)
      await store.write(tables => {
        const table = tables[name] as unknown as Table<Rows[N]>
        for (const id of ids) {
          const row = table.get(id)
          if (row && shouldDelete(row, tables)) table.remove(id)
        }
      })
  }
}
