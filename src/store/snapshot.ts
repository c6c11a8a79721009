import type { Transaction } from 'lmdb'
import type { Row } from './rows.ts'
import type { Store } from './store.ts'
import type { TableReader } from './tableReader.ts'

/** The number of rows in memory at a time. */
const BATCH = 100

/** The records as they were at one moment, whatever changes meanwhile. */
export class Snapshot {
  constructor(private readonly transaction: Transaction) {}

  /** Reads a table. Other work gets its turn after each batch of rows. */
  async *rows<R extends Row>(table: TableReader<R>): AsyncGenerator<R> {
    for (const rows of table.batches(BATCH, false, this.transaction)) {
      yield* rows
      await Bun.sleep(0)
    }
  }
}

/** Runs work on a snapshot. Until it ends, LMDB can't reuse the space of deleted records. */
export async function withSnapshot<T>(
  { read }: Pick<Store, 'read'>,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  // All tables are in one environment, and share the transaction.
  const transaction = read.jobs.rows.useReadTransaction()
  try {
    return await work(new Snapshot(transaction))
  } finally {
    transaction.done()
  }
}
