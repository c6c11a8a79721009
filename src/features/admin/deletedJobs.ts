import { Problem } from '../../base/problem.ts'
import { JOURNALED, type JournalRow, subjectOf } from '../../store/journal/journalRow.ts'
import type { JobRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { newDraft } from '../jobs/publication.ts'

/** The records that a job can't be without, by the column that refers to them. */
const PARENTS = [
  ['categoryId', 'categories', 'category'],
  ['termId', 'terms', 'employment type'],
  ['planId', 'plans', 'plan'],
] as const

type LabelTable = 'categories' | 'terms'

/** A deleted job as it comes back, and sentences about what doesn't. */
interface RestoredJob {
  readonly row: JobRow
  readonly notes: readonly string[]
}

/**
 * Returns a deleted job as it comes back.
 * @param arriving the label that comes back with it
 * @throws Problem 'conflict' if a record that it needs was deleted
 */
export function restoredJob(
  tables: TableReaders,
  { at, before, jobId: id = 0 }: JournalRow,
  now: number,
  arriving?: { readonly table: LabelTable; readonly id: number },
): RestoredJob {
  // The columns are those of a job. An older version may have journaled fewer.
  const deleted = { ...newDraft(at), ...before, id } as JobRow
  for (const [column, table, noun] of PARENTS) {
    const parent = deleted[column]
    if (parent === null || tables[table].has(parent)) continue
    if (arriving?.table !== table || arriving.id !== parent) throw missingParent(tables, table, parent, noun)
  }
  const hasOwner = tables.users.has(deleted.userId)
  const row = {
    ...deleted,
    logo: '',
    claimEmail: null,
    userId: hasOwner ? deleted.userId : null,
    publishedAt: lateStart(deleted, at, now),
  }
  return {
    row,
    notes: [
      ...(deleted.logo === '' ? [] : ["Logos are deleted with their jobs and don't come back."]),
      ...(deleted.userId === null || hasOwner
        ? []
        : ['A job whose account was deleted comes back without an owner.']),
      'Statistics start again from zero.',
    ],
  }
}

/** Returns the time of publication of a job. One that came while it was out of sight is now, so that it is announced as new. */
export const lateStart = ({ publishedAt }: JobRow, since: number, now: number) =>
  publishedAt !== null && publishedAt > since && publishedAt <= now ? now : publishedAt

/** Returns the entries of the jobs that were deleted with a label: those just before its own. */
export function jobsDeletedWith(
  { journal }: TableReaders,
  label: JournalRow,
  table: LabelTable,
): JournalRow[] {
  const column = table === 'categories' ? 'categoryId' : 'termId'
  const { id } = subjectOf(label)
  const found: JournalRow[] = []
  for (let rows = [label]; rows.length > 0; rows = journal.before((found.at(-1) ?? label).id, BATCH_SIZE))
    for (const entry of rows) {
      if (entry === label) continue
      if (entry.type !== 'job.deleted' || entry.at !== label.at || entry.before?.[column] !== id)
        return found.toReversed()
      found.push(entry)
    }
  return found.toReversed()
}

const BATCH_SIZE = 100

function missingParent(
  { journal }: TableReaders,
  table: 'categories' | 'terms' | 'plans',
  id: number,
  noun: string,
) {
  const last = journal.get(journal.idsWhere(JOURNALED[table], id).at(-1) ?? null)
  const name = last?.before?.['name']
  const which = typeof name === 'string' ? `Its ${noun} "${name}"` : `Its ${noun}`
  return new Problem('conflict', `${which} was deleted too. Put back the ${noun} first.`)
}
