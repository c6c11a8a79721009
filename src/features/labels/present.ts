import { type Caller, isAdmin } from '../../base/caller.ts'
import type { LabelRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import type { Labels } from './actions.ts'
import type { AdminLabel, Label } from './schema.ts'

/** Returns a category or a term as everybody sees it. */
export const presentLabel = ({ id, name }: LabelRow): Label => ({ id, name })

/** Returns a category or a term as administrators see it, except inside a job. */
export const presentAdminLabel = (tables: TableReaders, { column }: Labels, label: LabelRow): AdminLabel => ({
  ...presentLabel(label),
  jobs: tables.jobs.countWhere(column, label.id),
})

export const presentLabelFor =
  (caller: Caller, tables: TableReaders, labels: Labels): ((label: LabelRow) => Label | AdminLabel) =>
  label =>
    isAdmin(caller) ? presentAdminLabel(tables, labels, label) : presentLabel(label)
