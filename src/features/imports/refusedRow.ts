import type { FieldErrors } from '../../base/problem.ts'
import type { Fields } from '../../validation/validation.ts'

/** A row with errors. */
export interface RefusedRow {
  /** The place of the row in the file: `Line 7`, `Row 3`. */
  readonly place: string
  /** The beginning of its title, on one line; undefined if there is none. */
  readonly title: string | undefined
  /** All errors of the row in one sentence. */
  readonly message: string
  /** The errors by field; none if the row can't be read. */
  readonly errors: FieldErrors
}

const MAX_TITLE_LENGTH = 80

export const unreadableRow = (place: string, message: string): RefusedRow => ({
  place,
  title: undefined,
  message,
  errors: {},
})

export const refusedRow = (place: string, fields: Fields, errors: FieldErrors): RefusedRow => ({
  place,
  title: titleOf(fields),
  message: sentence(errors),
  errors,
})

const sentence = (errors: FieldErrors) =>
  `${Object.entries(errors)
    .map(([field, [error]]) => `${field} ${error}`)
    .join('; ')}.`

/** Returns the title, which helps to find the row, without characters that would move a terminal's cursor. */
function titleOf({ values }: Fields): string | undefined {
  const title = values.get('title')
  if (typeof title !== 'string' || title.trim() === '') return undefined
  const plain = title.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return plain.length > MAX_TITLE_LENGTH ? `${plain.slice(0, MAX_TITLE_LENGTH)}…` : plain
}
