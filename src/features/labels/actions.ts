import type { Static } from '@sinclair/typebox'
import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { enqueueRejection } from '../../mail/outbox.ts'
import { getOrThrow, validateUnique } from '../../store/lookup.ts'
import type { LabelRow } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import type { TableReaders } from '../../store/tables.ts'
import type { Validation } from '../../validation/validation.ts'
import type { LabelFields } from './schema.ts'

/** The two kinds of label: their table, the column in which jobs refer to them, and their name in messages. */
export const CATEGORIES = { table: 'categories', column: 'categoryId', noun: 'category' } as const
export const TERMS = { table: 'terms', column: 'termId', noun: 'term' } as const
export type Labels = typeof CATEGORIES | typeof TERMS

/** Returns a category or a term. @throws Problem 'notFound' */
export const getLabel = (tables: TableReaders, { table, noun }: Labels, id: number): LabelRow =>
  getOrThrow(tables[table], id, noun)

type LabelInput = Static<typeof LabelFields>

export const createLabel = (
  store: Store,
  caller: Caller,
  labels: Labels,
  input: Validation<LabelInput>,
): Promise<LabelRow> =>
  writeAs(store, caller, tables => {
    validateUnique(tables[labels.table], 'name', input)
    return tables[labels.table].insert(input.valueOrThrow())
  })

export const updateLabel = (
  store: Store,
  caller: Caller,
  labels: Labels,
  id: number,
  input: Validation<Partial<LabelInput>>,
): Promise<LabelRow> =>
  writeAs(store, caller, tables => {
    const label = getLabel(tables, labels, id)
    validateUnique(tables[labels.table], 'name', input, id)
    return tables[labels.table].update(label, input.valueOrThrow())
  })

/** Deletes a label and all its jobs, in every status, and returns their number. */
export function deleteLabel(
  { store, mail }: Board,
  caller: Caller,
  labels: Labels,
  id: number,
): Promise<{ label: LabelRow; jobs: number }> {
  return writeAs(store, caller, tables => {
    const label = getLabel(tables, labels, id)
    const jobs = tables.jobs.idsWhere(labels.column, id)
    for (const job of jobs.flatMap(jobId => tables.jobs.get(jobId) ?? []))
      enqueueRejection(mail.outbox, tables, job)
    tables[labels.table].remove(id)
    return { label, jobs: jobs.length }
  })
}
