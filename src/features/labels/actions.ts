import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import { check, checkPatch, type Sent } from '../../base/check.ts'
import { NAME_TAKEN } from '../../base/names.ts'
import { missing } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { tellRefusal } from '../../mail/outbox.ts'
import type { LabelRow } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import type { TableReaders } from '../../store/tables.ts'
import { refuseTaken } from '../../store/unique.ts'
import { LabelFields } from './schema.ts'

/** The two sorts of label: their table, the column by which jobs refer to them, and what one is called. */
export const CATEGORIES = { table: 'categories', column: 'categoryId', noun: 'category' } as const
export const TERMS = { table: 'terms', column: 'termId', noun: 'term' } as const
export type Labels = typeof CATEGORIES | typeof TERMS

/** @throws Problem 'missing' */
export function getLabel(tables: TableReaders, { table, noun }: Labels, id: number): LabelRow {
  const label = tables[table].get(id)
  if (!label) throw missing(noun)
  return label
}

export async function addLabel(store: Store, caller: Caller, labels: Labels, sent: Sent): Promise<LabelRow> {
  const draft = check(LabelFields, sent)
  return await writeAs(store, caller, tables => {
    refuseTaken(tables[labels.table], 'name', draft, NAME_TAKEN)
    return tables[labels.table].add(draft.settle())
  })
}

export async function changeLabel(
  store: Store,
  caller: Caller,
  labels: Labels,
  id: number,
  sent: Sent,
): Promise<LabelRow> {
  const draft = checkPatch(LabelFields, sent)
  return await writeAs(store, caller, tables => {
    const label = getLabel(tables, labels, id)
    refuseTaken(tables[labels.table], 'name', draft, NAME_TAKEN, id)
    return tables[labels.table].change(label, draft.settle())
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
      tellRefusal(mail.outbox, tables, job)
    tables[labels.table].remove(id)
    return { label, jobs: jobs.length }
  })
}
