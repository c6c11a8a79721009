import type { Caller } from '../../base/caller.ts'
import type { JobRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { type Fields, validate, type Validation } from '../../validation/validation.ts'
import { type PublicationPatch, validatePublication } from '../jobs/publication.ts'
import { validateReferences, validateTogether } from '../jobs/rules.ts'
import { PostedJob } from '../jobs/schema.ts'

/** A checked posting of a source. */
export interface CheckedPosting {
  /** All errors are in here. */
  readonly validation: Validation<PostedJob>
  readonly patch: PublicationPatch
}

/** Returns the job of a source with this id there. */
export function findSourcedJob(
  { jobs }: TableReaders,
  source: string,
  externalId: string,
): JobRow | undefined {
  return jobs.get(jobs.findIdBy('externalId', externalId, source) ?? null)
}

/**
 * Checks a posting by the rules of a new job, also if it has a job already: it describes the job as a whole.
 * @param job its job, whose plan must stay the same; undefined if it is new
 */
export function checkPosting(
  tables: TableReaders,
  caller: Caller,
  job: JobRow | undefined,
  fields: Fields,
  now: number,
): CheckedPosting {
  const validation = validate(PostedJob, fields)
  validateTogether(validation)
  const { values: patch, errors } = validatePublication(caller, job, withoutExpiry(fields), now)
  validation.addErrors(errors)
  validateReferences(tables, validation, job ? patch.planId : validation.value('plan_id'))
  return { validation, patch }
}

/** Removes the end of the job, which follows from its plan. */
function withoutExpiry(fields: Fields): Fields {
  const values = new Map(fields.values)
  values.delete('expires_at')
  return { ...fields, values }
}
