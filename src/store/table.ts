import type { Databases } from './databases.ts'
import type { Row } from './rows.ts'
import { type OnRemove, type TableOptions, TableReader, uniqueKeyOf } from './tableReader.ts'

/** A change to one row in a transaction. */
export interface RowChange<R> {
  readonly id: number
  readonly before: R | undefined
  readonly after: R | undefined
}

type Dependent = readonly [table: Table<Row>, column: string, onRemove: OnRemove]

/** Writes a table, inside a transaction only. Every write updates the indexes and reports the change. */
export class Table<R extends Row> extends TableReader<R> {
  private readonly dependents: Dependent[] = []
  private readonly referenceColumns: readonly (keyof R & string)[]
  private readonly uniqueColumns: readonly (keyof R & string)[]

  constructor(
    name: string,
    databases: Databases,
    private readonly onChange: (change: RowChange<R>) => void,
    options: TableOptions<R> = {},
  ) {
    super(name, databases, options)
    this.referenceColumns = entriesOf(options.references).map(([column]) => column)
    this.uniqueColumns = entriesOf(options.unique).map(([column]) => column)
    for (const [column, { to, onRemove }] of entriesOf(options.references))
      // A table doesn't know the columns of its dependents.
      if (onRemove !== 'keep') to.dependents.push([this as unknown as Table<Row>, column, onRemove])
  }

  /** Stores a new row under the next id. Ids are never reused. */
  insert(columns: Omit<R, 'id'>): R {
    const row = { id: this.takeIds(1), ...columns } as unknown as R // TypeScript can't infer that this is an R
    this.write(undefined, row)
    return row
  }

  /** Stores new rows under the next ids, in their order. */
  insertAll(rows: readonly Omit<R, 'id'>[]): void {
    const first = this.takeIds(rows.length)
    for (const [at, columns] of rows.entries())
      this.write(undefined, { id: first + at, ...columns } as unknown as R)
  }

  /** Stores a row under its own id, in a table with `foreignIds`. */
  put(row: R): void {
    this.write(this.get(row.id), row)
  }

  /** Changes columns of an existing row. */
  update(row: R, columns: Partial<Omit<R, 'id'>>): R {
    const changed: R = { ...row, ...columns }
    this.write(row, changed)
    return changed
  }

  /** Removes a row and the rows that depend on it, and returns it; undefined if it didn't exist. */
  remove(id: number): R | undefined {
    const row = this.get(id)
    if (!row) return undefined
    for (const [table, column, onRemove] of this.dependents) table.release(column, id, onRemove)
    this.unlink(row)
    void this.rows.remove(id)
    this.onChange({ id, before: row, after: undefined })
    return row
  }

  /** Takes a number of ids, and returns the first of them. */
  private takeIds(count: number): number {
    const last = this.databases.counters.get(this.name) ?? 0
    void this.databases.counters.put(this.name, last + count)
    return last + 1
  }

  private release(column: string, id: number, onRemove: OnRemove) {
    // The column belongs to this table, which registered it.
    const ids = this.idsWhere(column as keyof R & string, id)
    if (ids.length > 0 && onRemove === 'restrict')
      throw new Error(`${this.name} still refer to the removed row`)
    for (const child of ids) {
      const row = onRemove === 'setNull' && this.get(child)
      if (row) this.write(row, { ...row, [column]: null })
      else this.remove(child)
    }
  }

  private write(before: R | undefined, after: R) {
    if (before) this.unlink(before)
    this.link(after)
    void this.rows.put(after.id, after)
    this.onChange({ id: after.id, before, after })
  }

  private link(row: R) {
    const { references, uniques } = this.databases
    for (const [column, parent] of this.parentsOf(row))
      void references.put([this.name, column, parent, row.id], 1)
    for (const [column, value] of this.uniquesOf(row)) {
      const key: [string, string, string] = [this.name, column, value]
      if (uniques.get(key) !== undefined) throw new Error(`${this.name}.${column} is already taken`)
      void uniques.put(key, row.id)
    }
  }

  private unlink(row: R) {
    const { references, uniques } = this.databases
    for (const [column, parent] of this.parentsOf(row))
      void references.remove([this.name, column, parent, row.id])
    for (const [column, value] of this.uniquesOf(row)) void uniques.remove([this.name, column, value])
  }

  private parentsOf(row: R): (readonly [column: string, id: number])[] {
    return this.referenceColumns.flatMap(column => {
      const parent = row[column]
      return typeof parent === 'number' ? [[column, parent] as const] : []
    })
  }

  private uniquesOf(row: R): (readonly [column: string, key: string])[] {
    return this.uniqueColumns.flatMap(column => {
      const key = uniqueKeyOf(this.options, column, row)
      return key === undefined ? [] : [[column, key] as const]
    })
  }
}

function entriesOf<R extends Row, V>(columns: Partial<Record<keyof R & string, V>> = {}) {
  // Object.entries loses the type of the names, which are the row's columns
  return Object.entries(columns) as [keyof R & string, V][]
}
