import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import { NAME_TAKEN } from '../../base/names.ts'
import { notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { enqueueRefusal } from '../../mail/outbox.ts'
import type { LabelRow } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import type { TableReaders } from '../../store/tables.ts'
import { validateUnique } from '../../store/unique.ts'
import { type Fields, validate, validatePatch } from '../../validation/validation.ts'
import { LabelFields } from './schema.ts'

/** The two sorts of label: their table, the column by which jobs refer to them, and what one is called. */
export const CATEGORIES = { table: 'categories', column: 'categoryId', noun: 'category' } as const
export const TERMS = { table: 'terms', column: 'termId', noun: 'term' } as const
export type Labels = typeof CATEGORIES | typeof TERMS

/** @throws Problem 'notFound' */
export function getLabel(tables: TableReaders, { table, noun }: Labels, id: number): LabelRow {
  const label = tables[table].get(id)
  if (!label) throw notFound(noun)
  return label
}

export async function addLabel(
  store: Store,
  caller: Caller,
  labels: Labels,
  fields: Fields,
): Promise<LabelRow> {
  const validation = validate(LabelFields, fields)
  return await writeAs(store, caller, tables => {
    validateUnique(tables[labels.table], 'name', validation, NAME_TAKEN)
    return tables[labels.table].insert(validation.valueOrThrow())
  })
}

export async function changeLabel(
  store: Store,
  caller: Caller,
  labels: Labels,
  id: number,
  fields: Fields,
): Promise<LabelRow> {
  const validation = validatePatch(LabelFields, fields)
  return await writeAs(store, caller, tables => {
    const label = getLabel(tables, labels, id)
    validateUnique(tables[labels.table], 'name', validation, NAME_TAKEN, id)
    return tables[labels.table].update(label, validation.valueOrThrow())
  })
}

/** Removes a label and every job of it, whatever its state; gives how many those were. */
export function removeLabel(
  { store, mail }: Board,
  caller: Caller,
  labels: Labels,
  id: number,
): Promise<{ label: LabelRow; jobs: number }> {
  return writeAs(store, caller, tables => {
    const label = getLabel(tables, labels, id)
    const jobs = tables.jobs.idsWhere(labels.column, id)
    for (const job of jobs.flatMap(jobId => tables.jobs.get(jobId) ?? []))
      enqueueRefusal(mail.outbox, tables, job)
    tables[labels.table].remove(id)
    return { label, jobs: jobs.length }
  })
}
