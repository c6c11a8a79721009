import { type FieldErrors, invalid } from '../../base/problem.ts'
import { isBlank } from '../../base/text.ts'
import type { TableReaders } from '../../store/tables.ts'
import { parseField, REQUIRED } from '../../validation/field.ts'
import type { Fields } from '../../validation/validation.ts'
import { cutLongTitle } from '../jobs/longTitle.ts'
import { PostedJob } from '../jobs/schema.ts'
import { EXTERNAL_ID_FIELD } from './actions.ts'
import { hashOf } from './content.ts'

/** Increase it if the same posting becomes another job than before, so that the next run looks at all of them. */
const VERSION = 1

/** The records that a posting refers to, by name or by an id in a field that ends in `_id`. */
const PARENTS = [
  ['category', 'categories', "doesn't match any category"],
  ['term', 'terms', "doesn't match any employment term"],
  ['plan', 'plans', "doesn't match any plan"],
] as const

const FIELDS = [...Object.keys(PostedJob.properties), ...PARENTS.map(([name]) => name)]

/** Returns the id of a posting in its source. */
export function externalIdOf({ values }: Fields): { externalId: string } | { error: string } {
  const sent = values.get('external_id')
  const { value, error } =
    sent === undefined ? { value: '', error: REQUIRED } : parseField(EXTERNAL_ID_FIELD, sent)
  return error === undefined ? { externalId: String(value) } : { error }
}

/** Returns the hash of what a source says about a job, whatever the order of its fields. */
export const sentHashOf = ({ values }: Fields): string =>
  hashOf([VERSION, ...FIELDS.map(name => values.get(name))])

/** Returns the fields of a posting as those of a new job: names become ids, and a long title is cut. */
export function jobFieldsOf(fields: Fields, tables: TableReaders): { fields: Fields; unknown: FieldErrors } {
  const values = new Map(fields.values)
  const unknown: FieldErrors = {}
  for (const [parent, table, error] of PARENTS) {
    const name = nameFrom(values.get(parent))
    if (!isBlank(values.get(`${parent}_id`)) || isBlank(name)) continue
    const id = typeof name === 'string' ? tables[table].findIdBy('name', name.trim()) : undefined
    if (id === undefined) unknown[parent] = [error]
    values.set(`${parent}_id`, id)
  }
  cutLongTitle(values)
  return { fields: { ...fields, values }, unknown }
}

/** Returns the name in `{id, name}`, which jobs in responses have. */
const nameFrom = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'name' in value ? value.name : value

/** Returns the errors of a posting: a name that is unknown replaces the error of its id. */
export function postingErrors(errors: FieldErrors, unknown: FieldErrors): FieldErrors {
  const named = Object.keys(unknown).map(name => `${name}_id`)
  return {
    ...Object.fromEntries(Object.entries(errors).filter(([name]) => !named.includes(name))),
    ...unknown,
  }
}

/** @throws Problem 'invalid' if there are any */
export function requireNone(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
