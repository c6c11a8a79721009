import type { Store } from './store.ts'
import type { Table } from './table.ts'
import type { TableReader } from './tableReader.ts'
import type { Rows, TableName, TableReaders } from './tables.ts'

/** The number of rows that are checked, and deleted if necessary, before other work continues. */
const BATCH_SIZE = 100

/**
 * Deletes rows of a table in small transactions.
 * @param shouldDelete is called again inside the transaction, because the row may have changed
 */
export async function deleteInBatches<N extends TableName>(
  store: Store,
  name: N,
  shouldDelete: (row: Rows[N], tables: TableReaders) => boolean,
): Promise<void> {
  // N is the name of the table and of its row type, which TypeScript can't follow through the union
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
