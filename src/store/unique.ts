import type { Validation } from '../validation/validation.ts'
import type { Row } from './rows.ts'
import type { TableReader } from './table.ts'

/**
 * Refuses a draft's value in a unique column if a row other than `self` has it. For sure only inside a transaction.
 * @param fault what is wrong with it, as the end of a sentence
 */
export function validateUnique<C extends string, R extends Row & Record<C, string>>(
  table: TableReader<R>,
  column: C & keyof R & string,
  draft: Validation<{ [N in C]?: string }>,
  fault: string,
  self?: number,
): void {
  const value = draft.value(column)
  const holder = value === undefined ? undefined : table.findIdBy(column, value)
  if (holder !== undefined && holder !== self) draft.addError(column, fault)
}
