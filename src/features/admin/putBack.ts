import { changeUser } from '../../accounts/users.ts'
import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { Row, UserRow } from '../../store/rows.ts'
import type { Table } from '../../store/table.ts'
import type { Tables } from '../../store/tables.ts'
import { planPutBack, type PutBackPlan } from './putBackPlan.ts'

const STALE = 'Something has changed since you opened this page. Check again what will be put back.'
/** How much larger than its JSON a row is on disk, with its entry in the journal. */
const SIZE_FACTOR = 3

/**
 * Puts a change back in one transaction, which the journal has as a change of its own.
 * @param seen the fingerprint of the plan that the administrator has seen
 * @throws Problem 'notFound', 'conflict' if it can't be put back, or would do something else by now
 */
export async function putBack(
  board: Board,
  caller: Caller,
  seq: number,
  seen: unknown,
): Promise<PutBackPlan> {
  const { store, clock } = board
  const { rows } = planPutBack(store.read, seq, floorToSecond(clock()))
  const size = rows.reduce((sum, { row }) => sum + JSON.stringify(row).length * SIZE_FACTOR, 0)
  return await writeAs(
    store,
    caller,
    tables => {
      const plan = planPutBack(tables, seq, floorToSecond(clock()))
      if (fingerprintOf(plan) !== seen) throw new Problem('conflict', STALE)
      for (const { table, row } of plan.rows)
        if (table === 'users') changeUser(tables, clock, row.id, { role: (row as UserRow).role })
        else putRow(tables, table, row)
      return plan
    },
    size,
  )
}

// A row of the journal has the columns of its table.
const putRow = (tables: Tables, table: PutBackPlan['table'], row: Row) =>
  (tables[table] as unknown as Table<Row>).put(row)

/** Returns a text that is the same for plans that do the same. */
export const fingerprintOf = ({ table, id, rows, changes, notes }: PutBackPlan) =>
  Bun.hash(JSON.stringify([table, id, rows.map(({ row }) => row.id), changes, notes])).toString(36)
