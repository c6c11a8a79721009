import type { Database } from 'lmdb'
import type { Databases } from './databases.ts'
import type { Row } from './rows.ts'

/** The rule for rows that refer to a removed row, as in SQL. */
type OnRemove = 'cascade' | 'setNull' | 'restrict'

/** A reference of a column to a row of another table. */
export interface Reference {
  readonly to: Table<never>
  readonly onRemove: OnRemove
}

interface TableOptions<R extends Row> {
  /** Columns that contain the id of a row of another table. */
  readonly references?: Partial<Record<keyof R & string, Reference>>
  /** Columns with unique values, each with a function that folds equivalent values into the same text. */
  readonly unique?: Partial<Record<keyof R & string, (value: string) => string>>
  /** Whether the ids of the rows come from elsewhere, and are not assigned. */
  readonly foreignIds?: boolean
}

/** A change to one row in a transaction. */
export interface RowChange<R> {
  readonly id: number
  readonly before: R | undefined
  readonly after: R | undefined
}

/** The maximum size of a unique value in bytes. LMDB's limit for keys, which include table and column, is 1,978. */
const MAX_UNIQUE_BYTES = 1800

type Dependent = readonly [table: Table<Row>, column: string, onRemove: OnRemove]

/** Reads a table. Rows are in the order of their ids, in which they were created. */
export class TableReader<R extends Row> {
  readonly rows: Database<R, number>

  constructor(
    readonly name: string,
    protected readonly databases: Databases,
    readonly options: TableOptions<R> = {},
  ) {
    this.rows = databases.env.openDB<R, number>({ name, encoding: 'json' })
  }

  /** Returns a row; null refers to none. */
  get(id: number | null): R | undefined {
    return id === null ? undefined : this.rows.get(id)
  }

  has(id: number | null): boolean {
    return id !== null && this.rows.doesExist(id)
  }

  /** Reads the whole table at once: an unfinished iterator would prevent the reuse of old pages. */
  all(): R[] {
    return [...this.rows.getRange().map(({ value }) => value)]
  }

  /** Reads all rows in batches, for tables that are too large for memory. Rows can change in between. */
  *batches(limit: number, reverse = false): Generator<R[]> {
    const step = reverse ? -1 : 1
    const from = (start: number) => [...this.rows.getRange({ start, limit, reverse }).map(row => row.value)]
    let rows = from(reverse ? Number.MAX_SAFE_INTEGER : 1)
    for (; rows.length > 0; rows = from((rows.at(-1)?.id ?? 0) + step)) yield rows
  }

  get count(): number {
    return this.rows.getKeysCount()
  }

  /** Returns the ids of the rows whose `column` refers to the row `id` of another table. */
  idsWhere(column: keyof R & string, id: number): number[] {
    const keys = this.databases.references.getKeys({
      start: [this.name, column, id, 0],
      end: [this.name, column, id + 1, 0],
    })
    return [...keys.map(key => key[3])]
  }

  /** Returns the id of the row with this value in a unique column. */
  findIdBy(column: keyof R & string, value: string): number | undefined {
    const folded = this.options.unique?.[column]?.(value)
    if (folded === undefined || Buffer.byteLength(folded) > MAX_UNIQUE_BYTES) return undefined
    return this.databases.uniques.get([this.name, column, folded])
  }

  /** Returns the row with this value in a unique column. */
  findBy(column: keyof R & string, value: string): R | undefined {
    const id = this.findIdBy(column, value)
    return id === undefined ? undefined : this.get(id)
  }
}

/** Writes a table, inside a transaction only. Every write updates the indexes and reports the change. */
export class Table<R extends Row> extends TableReader<R> {
  private readonly dependents: Dependent[] = []

  constructor(
    name: string,
    databases: Databases,
    private readonly onChange: (change: RowChange<R>) => void,
    options: TableOptions<R> = {},
  ) {
    super(name, databases, options)
    for (const [column, { to, onRemove }] of entriesOf(options.references))
      // A table doesn't know the columns of its dependents.
      to.dependents.push([this as unknown as Table<Row>, column, onRemove])
  }

  /** Stores a new row under the next id. Ids are never reused. */
  insert(columns: Omit<R, 'id'>): R {
    const id = (this.databases.counters.get(this.name) ?? 0) + 1
    void this.databases.counters.put(this.name, id)
    const row = { id, ...columns } as unknown as R // TypeScript can't infer that this is an R
    this.write(undefined, row)
    return row
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

  private *parentsOf(row: R): Generator<[string, number]> {
    for (const [column] of entriesOf(this.options.references)) {
      const parent = row[column]
      if (typeof parent === 'number') yield [column, parent]
    }
  }

  private *uniquesOf(row: R): Generator<[string, string]> {
    for (const [column, fold] of entriesOf(this.options.unique)) {
      const value = row[column]
      if (typeof value === 'string') yield [column, fold(value)]
    }
  }
}

function entriesOf<R extends Row, V>(columns: Partial<Record<keyof R & string, V>> = {}) {
  // Object.entries loses the type of the names, which are the row's columns
  return Object.entries(columns) as [keyof R & string, V][]
}
