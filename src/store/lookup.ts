import { notFound } from '../base/problem.ts'
import type { Validation } from '../validation/validation.ts'
import type { Row } from './rows.ts'
import type { TableReader } from './tableReader.ts'

/** Returns a row. @throws Problem 'notFound' with a message that begins with the noun */
export function getOrThrow<R extends Row>(table: TableReader<R>, id: number, noun: string): R {
  const row = table.get(id)
  if (!row) throw notFound(noun)
  return row
}

/**
 * Adds an error if a row other than `self` has the value in a unique column. Only a check inside a transaction is final.
 * @param message the error, which follows the column's name
 */
export function validateUnique<C extends string, R extends Row & Record<C, string>>(
  table: TableReader<R>,
  column: C & keyof R & string,
  validation: Validation<{ [N in C]?: string }>,
  self?: number,
  message = 'is already taken (case is ignored)',
): void {
  const value = validation.value(column)
  const holder = value === undefined ? undefined : table.findIdBy(column, value)
  if (holder !== undefined && holder !== self) validation.addError(column, message)
}
