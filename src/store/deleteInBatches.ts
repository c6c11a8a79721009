import type { Store } from './store.ts'
import type { Table } from './table.ts'
import type { TableReader } from './tableReader.ts'
import type { Rows, TableName, TableReaders } from './tables.ts'

/** The number of rows that are checked, and deleted if necessary, before other work continues. */
const BATCH_SIZE = 100

type ShouldDelete<N extends TableName> = (row: Rows[N], tables: TableReaders) => boolean

/**
 * Deletes rows of a table in small transactions.
 * @param shouldDelete is called again inside the transaction, because the row may have changed
 */
export async function deleteInBatches<N extends TableName>(
  store: Store,
  name: N,
  shouldDelete: ShouldDelete<N>,
): Promise<void> {
  // N is the name of the table and of its row type, which TypeScript can't follow through the union
  const reader = store.read[name] as unknown as TableReader<Rows[N]>
  for (const batch of reader.batches(BATCH_SIZE)) await deleteRows(store, name, batch, shouldDelete)
}

/** Deletes rows as `deleteInBatches` does, but only among those with these ids. */
export async function deleteAmong<N extends TableName>(
  store: Store,
  name: N,
  ids: readonly number[],
  shouldDelete: ShouldDelete<N>,
): Promise<void> {
  const reader = store.read[name] as unknown as TableReader<Rows[N]>
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const rows = ids.slice(at, at + BATCH_SIZE).map(id => reader.get(id))
    await deleteRows(
      store,
      name,
      rows.filter(row => row !== undefined),
      shouldDelete,
    )
  }
}

async function deleteRows<N extends TableName>(
  store: Store,
  name: N,
  rows: readonly Rows[N][],
  shouldDelete: ShouldDelete<N>,
) {
  const ids = rows.filter(row => shouldDelete(row, store.read)).map(({ id }) => id)
  await new Promise(resolve => setImmediate(resolve))
  if (ids.length === 0) return
  await store.write(tables => {
    const table = tables[name] as unknown as Table<Rows[N]>
    for (const id of ids) {
      const row = table.get(id)
      if (row && shouldDelete(row, tables)) table.remove(id)
    }
  })
}
