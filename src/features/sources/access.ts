import { type Caller, isAdmin, isOwner } from '../../base/caller.ts'
import { invalid, Problem } from '../../base/problem.ts'
import type { SourceRow } from '../../store/sourceRows.ts'
import type { TableReaders, Tables } from '../../store/tables.ts'
import { parseField } from '../../validation/field.ts'
import { sourceField } from '../../validation/textFields.ts'

/** The name of a source, as a field. */
export const SOURCE_FIELD = sourceField({
  description: 'Where the jobs come from: any name, which belongs to the account that uses it first.',
  examples: ['harbour-ats'],
})

/** The maximum number of sources of one account. Administrators have no limit. */
const MAX_SOURCES = 100

const SOMEBODY_ELSES = 'This source belongs to another account.'

/**
 * Checks that the caller may use a source, which belongs to the account that used it first. Administrators may use all.
 * @throws Problem 'invalid' if it is no name of a source, or 'forbidden'
 */
export function requireSource(tables: TableReaders, caller: Caller, name: string): void {
  const { error } = parseField(SOURCE_FIELD, name)
  if (error !== undefined) throw invalid({ source: [error] })
  if (isAdmin(caller)) return
  const source = findSource(tables, name)
  if (source ? !isOwner(caller, source) : hasJobs(tables, name))
    throw new Problem('forbidden', SOMEBODY_ELSES)
}

export const findSource = (tables: TableReaders, name: string): SourceRow | undefined =>
  tables.sources.findBy('name', name)

/**
 * Returns a source, inside a transaction. It is created when it is used first, and then belongs to the caller.
 * @throws Problem 'conflict' if the account has too many, and those of `requireSource`
 */
export function claimSource(tables: Tables, caller: Caller, name: string, now: number): SourceRow {
  requireSource(tables, caller, name)
  const source = findSource(tables, name)
  if (source) return source
  const { userId = null } = caller
  if (userId !== null && !isAdmin(caller) && tables.sources.countWhere('userId', userId) >= MAX_SOURCES)
    throw new Problem('conflict', `You have ${MAX_SOURCES} sources, which is the maximum. Use one of them.`)
  return tables.sources.insert({ name, userId, createdAt: now, failed: false })
}

/** Whether a source has jobs. An import can create some without the source. */
function hasJobs({ jobs }: TableReaders, name: string): boolean {
  const [first = []] = jobs.valuesWithin('externalId', name, 1)
  return first.length > 0
}
