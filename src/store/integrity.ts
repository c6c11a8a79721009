import type { Databases } from './databases.ts'
import type { IntegrityError } from './integrityError.ts'
import { findJournalErrors } from './journal/journalCheck.ts'
import type { LabelRow, PlanRow, Row } from './rows.ts'
import type { Table } from './table.ts'
import { type Reference, uniqueKeyOf } from './tableReader.ts'
import type { Tables } from './tables.ts'

/** The id, the references and the unique columns of a row. Their values may have any type. */
type Columns = Readonly<Record<string, unknown>>

interface FoundRow {
  readonly id: number
  readonly row: Columns
}

/** Checks every row, reference, index entry and counter, and the journal. @param now in milliseconds since 1970 */
export function findIntegrityErrors(databases: Databases, tables: Tables, now: number): IntegrityError[] {
  // A check reads columns by name, so it doesn't need the row type.
  const checks = Object.values(tables).map(table => new TableCheck(table as unknown as Table<Row>, databases))
  const byName = new Map(checks.map(check => [check.name, check]))
  // Stale entries come first, because they can have the keys of missing ones.
  return [
    ...staleIndexEntries(databases, byName),
    ...checks.flatMap(check => [...check.errors()]),
    ...findJournalErrors(databases, tables, now),
  ]
}

function* staleIndexEntries(
  { references, uniques }: Databases,
  checks: ReadonlyMap<string, TableCheck>,
): Generator<IntegrityError> {
  for (const key of [...references.getKeys()]) {
    const [name, column, parent, id] = key
    if (!checks.get(name)?.refersTo(column, parent, id))
      yield {
        message: `The index has a wrong ${column} of ${name} ${id}: ${parent}.`,
        repair: () => void references.remove(key),
      }
  }
  for (const { key, value: id } of [...uniques.getRange()]) {
    const [name, column, value] = key
    if (!checks.get(name)?.hasUnique(column, value, id))
      yield {
        message: `The index has a wrong ${column} of ${name} ${id}: ${JSON.stringify(value)}.`,
        repair: () => void uniques.remove(key),
      }
  }
}

/** The rows that replace missing ones that others refer to. */
const PLACEHOLDERS: Readonly<Record<string, (id: number) => LabelRow | PlanRow>> = {
  categories: id => ({ id, name: `Recovered category ${id}` }),
  terms: id => ({ id, name: `Recovered term ${id}` }),
  plans: id => ({
    id,
    name: `Recovered plan ${id}`,
    price: 0,
    period: 0,
    highlight: false,
    badge: false,
    pin: false,
    archived: true,
  }),
}

/** Compares the rows of one table with the indexes. */
class TableCheck {
  readonly name: string
  private readonly readableRows = new Map<number, Columns>()
  private readonly unreadable: number[] = []

  constructor(
    private readonly table: Table<Row>,
    private readonly databases: Databases,
  ) {
    this.name = table.name
    for (const id of table.rows.getKeys()) {
      const row = readRow(table, id)
      if (row) this.readableRows.set(id, row)
      else this.unreadable.push(id)
    }
  }

  *errors(): Generator<IntegrityError> {
    for (const id of this.unreadable)
      yield { message: `${this.name} ${id} can't be read. Restore a backup.`, repair: undefined }
    for (const [id, row] of this.readableRows) {
      yield* this.referenceErrors({ id, row })
      yield* this.uniqueErrors({ id, row })
    }
    const last = Math.max(0, ...[...this.readableRows.keys()].slice(-1), ...this.unreadable.slice(-1))
    const counted = this.databases.counters.get(this.name) ?? 0
    if (!this.table.options.foreignIds && !(counted >= last))
      yield {
        message: `The last id of ${this.name} is recorded as ${counted}, but there is ${last}.`,
        repair: () => void this.databases.counters.put(this.name, last),
      }
  }

  refersTo(column: string, parent: number, id: number): boolean {
    return column in (this.table.options.references ?? {}) && this.readableRows.get(id)?.[column] === parent
  }

  hasUnique(column: string, value: string, id: number): boolean {
    return uniqueKeyOf(this.table.options, column, this.readableRows.get(id) ?? {}) === value
  }

  private *referenceErrors({ id, row }: FoundRow): Generator<IntegrityError> {
    const { references } = this.databases
    for (const [column, reference] of Object.entries<Reference>(this.table.options.references ?? {})) {
      const parent = row[column]
      if (parent === null || (parent === undefined && reference.onRemove === 'keep')) continue
      if (typeof parent !== 'number') {
        yield { message: `${this.name} ${id} has no ${column}. Restore a backup.`, repair: undefined }
        continue
      }
      if (reference.onRemove !== 'keep' && !reference.to.has(parent))
        yield this.orphan(id, column, parent, reference)
      const key: [string, string, number, number] = [this.name, column, parent, id]
      if (!references.doesExist(key))
        yield {
          message: `The index is missing ${column} ${parent} of ${this.name} ${id}.`,
          // The repair of another error may have changed the row.
          repair: () => this.stillRefers(id, column, parent) && void references.put(key, 1),
        }
    }
  }

  private orphan(id: number, column: string, parent: number, { to, onRemove }: Reference): IntegrityError {
    const message = `${this.name} ${id} refers to ${to.name} ${parent}, which doesn't exist.`
    const placeholder = PLACEHOLDERS[to.name]
    if (onRemove === 'setNull') return { message, repair: () => this.setNull(id, column, parent) }
    if (placeholder) return { message, repair: () => this.addPlaceholder(to, placeholder(parent)) }
    return { message, repair: onRemove === 'cascade' ? () => void this.table.remove(id) : undefined }
  }

  private stillRefers(id: number, column: string, parent: number): boolean {
    const row: object = this.table.get(id) ?? {}
    return Object.entries(row).some(([name, value]) => name === column && value === parent)
  }

  private setNull(id: number, column: string, parent: number) {
    const row = this.table.get(id)
    if (row) this.table.put({ ...row, [column]: null })
    void this.databases.references.remove([this.name, column, parent, id])
  }

  private addPlaceholder(to: Table<never>, row: LabelRow | PlanRow) {
    const { counters } = this.databases
    if (to.has(row.id)) return
    to.put(row as never)
    void counters.put(to.name, Math.max(counters.get(to.name) ?? 0, row.id))
  }

  private *uniqueErrors({ id, row }: FoundRow): Generator<IntegrityError> {
    const { uniques } = this.databases
    const { options } = this.table
    for (const column of Object.keys(options.unique ?? {})) {
      const value = uniqueKeyOf(options, column, row)
      if (value === undefined) continue
      const key: [string, string, string] = [this.name, column, value]
      const holder = uniques.get(key)
      if (holder === id) continue
      if (holder !== undefined && this.hasUnique(column, value, holder))
        yield {
          message: `${this.name} ${holder} and ${id} have the same ${column}. Change one.`,
          repair: undefined,
        }
      else
        yield {
          message: `The index is missing ${column} of ${this.name} ${id}.`,
          repair: () => void uniques.put(key, id),
        }
    }
  }
}

/** Reads the checked columns of a row; undefined if the row is unreadable or has another id. */
function readRow({ rows, options }: Table<Row>, id: number): Columns | undefined {
  try {
    const row: object | undefined = rows.get(id)
    const { references = {}, unique = {}, within = {} } = options
    const known = ['id', ...[references, unique].flatMap(Object.keys), ...Object.values(within)]
    const columns = Object.fromEntries(Object.entries(row ?? {}).filter(([column]) => known.includes(column)))
    return columns['id'] === id ? columns : undefined
  } catch {
    return undefined
  }
}
