import type { Database } from 'lmdb'
import type { Databases } from './databases.ts'
import type { Row } from './rows.ts'

/** What becomes of the rows that refer to one that is removed. */
type OnRemove = 'cascade' | 'setNull' | 'restrict'

export interface Reference {
  readonly to: Table<never>
  readonly onRemove: OnRemove
}

export interface TableOptions<R extends Row> {
  /** Columns that hold the id of a row elsewhere. */
  readonly references?: Partial<Record<keyof R & string, Reference>>
  /** Columns whose value belongs to one row only, with the form under which values count as the same. */
  readonly unique?: Partial<Record<keyof R & string, (value: string) => string>>
  /** The rows have the ids of something else: none is given out. */
  readonly foreignIds?: boolean
}

/** What a committed transaction did to one row. */
export interface RowChange<R> {
  readonly id: number
  readonly before: R | undefined
  readonly after: R | undefined
}

/** Bytes. LMDB throws at a key of over 1,978, of which table and column take some: what is longer is nowhere. */
const MAX_UNIQUE_BYTES = 1800

type Dependent = readonly [table: Table<Row>, column: string, onRemove: OnRemove]

/** A table to read from. Rows come in the order of their ids, which is the order of their making. */
export class TableReader<R extends Row> {
  readonly rows: Database<R, number>

  constructor(
    readonly name: string,
    protected readonly databases: Databases,
    readonly options: TableOptions<R> = {},
  ) {
    this.rows = databases.env.openDB<R, number>({ name, encoding: 'json' })
  }

  get(id: number): R | undefined {
    return this.rows.get(id)
  }

  has(id: number): boolean {
    return this.rows.doesExist(id)
  }

  /** Reads the whole table at once: an iterator left unfinished would keep old pages of the store alive. */
  all(): R[] {
    return [...this.rows.getRange().map(({ value }) => value)]
  }

  /** Every row, so many at a time, as a large table is too much for memory. Rows may change in between. */
  *batches(limit: number, reverse = false): Generator<R[]> {
    const step = reverse ? -1 : 1
    const from = (start: number) => [...this.rows.getRange({ start, limit, reverse }).map(row => row.value)]
    let rows = from(reverse ? Number.MAX_SAFE_INTEGER : 1)
    for (; rows.length > 0; rows = from((rows.at(-1)?.id ?? 0) + step)) yield rows
  }

  get count(): number {
    return this.rows.getKeysCount()
  }

  /** The ids of the rows whose `column` refers to the row `id` of another table. */
  idsWhere(column: keyof R & string, id: number): number[] {
    const keys = this.databases.references.getKeys({
      start: [this.name, column, id, 0],
      end: [this.name, column, id + 1, 0],
    })
    return [...keys.map(key => key[3])]
  }

  /** The id of the row that has this value in a unique column. */
  findIdBy(column: keyof R & string, value: string): number | undefined {
    const folded = this.options.unique?.[column]?.(value)
    if (folded === undefined || Buffer.byteLength(folded) > MAX_UNIQUE_BYTES) return undefined
    return this.databases.uniques.get([this.name, column, folded])
  }

  /** The row that has this value in a unique column. */
  findBy(column: keyof R & string, value: string): R | undefined {
    const id = this.findIdBy(column, value)
    return id === undefined ? undefined : this.get(id)
  }
}

/** A table to write to, which only a transaction is handed. Every write keeps the indexes and tells the change. */
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
      // a table knows its dependents as rows, whatever their columns are
      to.dependents.push([this as unknown as Table<Row>, column, onRemove])
  }

  /** Stores a new row under the next id. Ids are never used twice. */
  insert(columns: Omit<R, 'id'>): R {
    const id = (this.databases.counters.get(this.name) ?? 0) + 1
    void this.databases.counters.put(this.name, id)
    // Omit<R, 'id'> & { id } is R, which TypeScript can't tell of a generic R
    const row = { id, ...columns } as unknown as R
    this.write(undefined, row)
    return row
  }

  /** Stores a row under the id that it has, in a table whose ids are something else's. */
  put(row: R): void {
    this.write(this.get(row.id), row)
  }

  /** Puts columns over those of a row that exists. */
  update(row: R, columns: Partial<Omit<R, 'id'>>): R {
    const changed: R = { ...row, ...columns }
    this.write(row, changed)
    return changed
  }

  /** Takes the row and everything that cannot live without it; undefined if it was not there. */
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
    // the column is one of this table's own: it registered itself with it
    const ids = this.idsWhere(column as keyof R & string, id)
    if (ids.length > 0 && onRemove === 'restrict')
      throw new Error(`${this.name} still refer to what is removed`)
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
      if (uniques.get(key) !== undefined) throw new Error(`${this.name}.${column} is taken`)
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
  // Object.entries forgets that the names are those of the row's columns
  return Object.entries(columns) as [keyof R & string, V][]
}
