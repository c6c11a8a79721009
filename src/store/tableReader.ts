import type { Database, Transaction } from 'lmdb'
import type { Databases } from './databases.ts'
import type { Row } from './rows.ts'
import type { Table } from './table.ts'

/** The rule for rows that refer to a removed row, as in SQL. With `keep`, they go on referring to it. */
export type OnRemove = 'cascade' | 'setNull' | 'restrict' | 'keep'

/** A reference of a column to a row of another table. */
export interface Reference {
  readonly to: Table<never>
  readonly onRemove: OnRemove
}

export interface TableOptions<R extends Row> {
  /** Columns that contain the id of a row of another table. */
  readonly references?: Partial<Record<keyof R & string, Reference>>
  /** Columns with unique values, each with a function that folds equivalent values into the same text. */
  readonly unique?: Partial<Record<keyof R & string, (value: string) => string>>
  /** Columns that are unique only among the rows with the same text in another column, which is named here. */
  readonly within?: Partial<Record<keyof R & string, keyof R & string>>
  /** Whether the ids of the rows come from elsewhere, and are not assigned. */
  readonly foreignIds?: boolean
}

/** The maximum size of a unique value in bytes. LMDB's limit for keys, which include table and column, is 1,978. */
const MAX_UNIQUE_BYTES = 1800

type UniqueKey = [table: string, column: string, key: string]
type ReferenceKey = [table: string, column: string, parent: number, id: number]

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

  /**
   * Reads all rows in batches, for tables that are too large for memory. Rows can change in between.
   * @param transaction reads the rows of its snapshot, which don't change
   */
  *batches(limit: number, reverse = false, transaction?: Transaction): Generator<R[]> {
    const step = reverse ? -1 : 1
    const options = { limit, reverse, ...(transaction && { transaction }) }
    const from = (start: number) => [...this.rows.getRange({ start, ...options }).map(row => row.value)]
    let rows = from(reverse ? Number.MAX_SAFE_INTEGER : 1)
    for (; rows.length > 0; rows = from((rows.at(-1)?.id ?? 0) + step)) yield rows
  }

  /** Returns a part of the rows, the newest first. @param offset the number of newer rows to leave out */
  newest(offset: number, limit: number): R[] {
    return [...this.rows.getRange({ reverse: true, offset, limit }).map(({ value }) => value)]
  }

  /** Returns the first rows after an id. */
  after(id: number, limit: number): R[] {
    return [...this.rows.getRange({ start: id + 1, limit }).map(({ value }) => value)]
  }

  /** Returns the last rows before an id, the newest first. */
  before(id: number, limit: number): R[] {
    return [...this.rows.getRange({ start: id - 1, reverse: true, limit }).map(({ value }) => value)]
  }

  /** The last id that was assigned. */
  get lastId(): number {
    return this.databases.counters.get(this.name) ?? 0
  }

  get count(): number {
    return this.rows.getKeysCount()
  }

  /** Returns the ids of the rows whose `column` refers to the row `id` of another table. */
  idsWhere(column: keyof R & string, id: number): number[] {
    return [...this.databases.references.getKeys(this.referencesTo(column, id)).map(key => key[3])]
  }

  /** Returns the number of rows whose `column` refers to the row `id` of another table. */
  countWhere(column: keyof R & string, id: number): number {
    return this.databases.references.getKeysCount(this.referencesTo(column, id))
  }

  private referencesTo(column: keyof R & string, id: number): { start: ReferenceKey; end: ReferenceKey } {
    return { start: [this.name, column, id, 0], end: [this.name, column, id + 1, 0] }
  }

  /** Returns the id of the row with this value in a unique column. @param outer the value of the column that it is unique within */
  findIdBy(column: keyof R & string, value: string, outer?: string): number | undefined {
    const scope = this.options.within?.[column]
    const key = uniqueKeyOf(this.options, column, { [column]: value, ...(scope && { [scope]: outer }) })
    if (key === undefined || Buffer.byteLength(key) > MAX_UNIQUE_BYTES) return undefined
    return this.databases.uniques.get([this.name, column, key])
  }

  /**
   * Yields the values of a unique column within one value of another column, with the ids of their rows, in batches. Rows
   * can change in between.
   */
  *valuesWithin(column: keyof R & string, outer: string, limit: number): Generator<[string, number][]> {
    const { start: first, end } = this.rangeWithin(column, outer)
    const prefix = first[2]
    for (let start = first; ;) {
      const range = this.databases.uniques.getRange({ start, end, limit })
      const found = [...range].map(({ key, value }): [string, number] => [key[2], value])
      const last = found.at(-1)?.[0]
      if (last === undefined) return
      yield found.map(([key, id]) => [key.slice(prefix.length), id])
      start = [this.name, column, `${last}\0`]
    }
  }

  /** Returns a unique column of a row whose value another row already has. */
  takenColumn(row: R): (keyof R & string) | undefined {
    // The names are the row's columns.
    const columns = Object.keys(this.options.unique ?? {}) as (keyof R & string)[]
    return columns.find(column => {
      const key = uniqueKeyOf(this.options, column, row)
      const holder = key === undefined ? undefined : this.databases.uniques.get([this.name, column, key])
      return holder !== undefined && holder !== row.id
    })
  }

  /** Returns the number of rows with a value of a unique column within one value of another column. */
  countWithin(column: keyof R & string, outer: string): number {
    return this.databases.uniques.getKeysCount(this.rangeWithin(column, outer))
  }

  private rangeWithin(column: keyof R & string, outer: string): { start: UniqueKey; end: UniqueKey } {
    // The character after the space, so that every text with the prefix is in between.
    return { start: [this.name, column, joinKey(outer, '')], end: [this.name, column, `${outer}!`] }
  }

  /** Returns the row with this value in a unique column. */
  findBy(column: keyof R & string, value: string): R | undefined {
    const id = this.findIdBy(column, value)
    return id === undefined ? undefined : this.get(id)
  }
}

/** Returns the text under which the index has a row's value of a unique column; undefined if it has none. */
export function uniqueKeyOf<R extends Row>(
  { unique, within }: TableOptions<R>,
  column: string,
  row: object,
): string | undefined {
  const name = column as keyof R & string // other columns have no entry below
  const values = row as Readonly<Record<string, unknown>>
  const fold = unique?.[name]
  const value = values[name]
  if (!fold || typeof value !== 'string') return undefined
  const scope = within?.[name]
  if (scope === undefined) return fold(value)
  const outer = values[scope]
  return typeof outer === 'string' ? joinKey(outer, fold(value)) : undefined
}

/** Joins a text without spaces and another one. */
const joinKey = (outer: string, value: string) => `${outer} ${value}`
