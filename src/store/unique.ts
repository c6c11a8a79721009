import type { Validation } from '../validation/validation.ts'
import type { Row } from './rows.ts'
import type { TableReader } from './table.ts'

/**
 * Adds an error if a row other than `self` has the value in a unique column. Only a check inside a transaction is final.
 * @param message the error, as the end of a sentence
 */
export function validateUnique<C extends string, R extends Row & Record<C, string>>(
  table: TableReader<R>,
  column: C & keyof R & string,
  validation: Validation<{ [N in C]?: string }>,
  message: string,
  self?: number,
): void {
  const value = validation.value(column)
  const holder = value === undefined ? undefined : table.findIdBy(column, value)
  if (holder !== undefined && holder !== self) validation.addError(column, message)
}
