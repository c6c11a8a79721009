import type { Draft } from '../base/check.ts'
import type { Row } from './rows.ts'
import type { TableReader } from './table.ts'

/**
 * Refuses a draft's value in a unique column if a row other than `self` has it. For sure only inside a transaction.
 * @param fault what is wrong with it, as the end of a sentence
 */
export function refuseTaken<C extends string, R extends Row & Record<C, string>>(
  table: TableReader<R>,
  column: C & keyof R & string,
  draft: Draft<{ [N in C]?: string }>,
  fault: string,
  self?: number,
): void {
  const value = draft.value(column)
  const holder = value === undefined ? undefined : table.idOf(column, value)
  if (holder !== undefined && holder !== self) draft.refuse(column, fault)
}
