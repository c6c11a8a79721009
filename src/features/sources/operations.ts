import type { Caller } from '../../base/caller.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { httpStatusOf } from '../../http/response/errors.ts'
import type { JobRow } from '../../store/rows.ts'
import type { OperationResult } from '../../store/sourceRows.ts'
import type { Tables } from '../../store/tables.ts'
import { REQUIRED } from '../../validation/field.ts'
import { type Fields, validate, type Validation } from '../../validation/validation.ts'
import { getJobToManage } from '../jobs/access.ts'
import { applyUpdate, validateNewJob } from '../jobs/actions.ts'
import { insertJob, removeJob } from '../jobs/jobWriter.ts'
import { applyClosing } from '../jobs/lifecycle.ts'
import { validateReferences } from '../jobs/rules.ts'
import { NewDraft, NewJob } from '../jobs/schema.ts'
import { validateLogoText } from '../logos/rules.ts'
import { requireSource } from './access.ts'
import { closeIfOpen, getSourcedJob } from './actions.ts'
import { Target } from './batchSchema.ts'
import { contentHashOf } from './content.ts'
import { findSourcedJob } from './posting.ts'
import { type Sender, upsertJob } from './upsert.ts'

const OK = 200
const CREATED = 201

/** The one who sends a batch to a board. */
export interface BatchSender extends Sender {
  readonly services: Board
}

/** An operation of a batch, whose own fields are valid. */
interface Operation {
  readonly target: Target
  readonly fields: Fields
}

/** Returns the result of an operation that failed. @throws the error if it isn't a Problem */
export function failureOf(error: unknown): OperationResult {
  if (!(error instanceof Problem)) throw error
  return { status: httpStatusOf(error), id: null, errors: error.details.errors ?? {}, error: error.message }
}

/**
 * Carries out an operation inside a transaction.
 * @throws Problem if it is invalid, or the caller may not do it
 */
export function applyOperation(sender: BatchSender, tables: Tables, operation: unknown): OperationResult {
  const { target, fields } = parse(operation)
  const done = (job: JobRow, status = OK) => ({ status, id: job.id, errors: {} })
  const { services: board, caller } = sender
  if (target.op === 'create') return done(create(sender, tables, { target, fields }), CREATED)
  if (target.op === 'upsert') {
    const { job, outcome } = upsert(sender, tables, { target, fields })
    return done(job, outcome === 'created' ? CREATED : OK)
  }
  const { job, isSourced } = find(board, caller, tables, target)
  if (target.op === 'delete') return done(removeJob(board, caller, tables, job))
  if (target.op === 'close')
    return done(isSourced ? closeIfOpen(board, tables, job) : applyClosing(board, tables, job))
  const changed = applyUpdate(board, caller, tables, job.id, fields, logoOf(fields))
  const known = isSourced ? tables.sourceJobs.get(job.id) : undefined
  const contentHash = contentHashOf(changed)
  // A change by the source neither detaches the job from it, nor attaches one that somebody has edited. The next set is
  // compared with the job again.
  if (known?.contentHash === contentHashOf(job) && contentHash !== known.contentHash)
    tables.sourceJobs.put({ ...known, sentHash: '', contentHash })
  return done(changed)
}

/** Parses the fields that say what to do with which job. @throws Problem 'invalid' */
function parse(operation: unknown): Operation {
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation))
    throw new Problem('invalid', 'The operation must be an object: {"op": "update", …}.')
  const fields: Fields = { values: new Map(Object.entries(operation)), isForm: false }
  const validation = validate(Target, fields)
  const { op, id } = validation.values
  const isByName = validation.has('source') || validation.has('external_id')
  if (op === 'create' && !isByName) return { target: validation.valueOrThrow(), fields }
  if (isByName || op === 'upsert') requireBoth(validation)
  else if (op !== undefined && id === undefined && !validation.has('id')) validation.addError('id', REQUIRED)
  return { target: validation.valueOrThrow(), fields }
}

function requireBoth(validation: Validation<Target>) {
  for (const name of ['source', 'external_id'] as const)
    if (!validation.has(name)) validation.addError(name, REQUIRED)
}

function create(sender: BatchSender, tables: Tables, operation: Operation): JobRow {
  const { services: board, caller } = sender
  const { fields, target } = operation
  const { source, external_id: externalId } = target
  if (source !== undefined && externalId !== undefined) {
    requireSource(tables, caller, source)
    if (findSourcedJob(tables, source, externalId))
      throw new Problem('conflict', 'The source has a job with this external_id already. Use upsert instead.')
    return upsert(sender, tables, operation).job
  }
  const isDraft = fields.values.get('draft') === true
  const input: Validation<typeof NewDraft.static> = validate(isDraft ? NewDraft : NewJob, fields)
  const { publishAt } = validateNewJob(caller, input, board.clock())
  validateLogoText(input)
  validateReferences(tables, input, input.value('plan_id'))
  const stated = input.valueOrThrow()
  sender.countJob()
  return insertJob(board, caller, tables, stated, { isDraft, publishAt })
}

function upsert(sender: BatchSender, tables: Tables, { target, fields }: Operation) {
  const { source = '', external_id: externalId = '' } = target
  requireSource(tables, sender.caller, source)
  return upsertJob(sender, tables, { source, externalId, fields, logo: logoOf(fields) })
}

/** Returns the name of the logo that the fields say: `''` for none, undefined for the job's own. */
function logoOf(fields: Fields): '' | undefined {
  const validation = validate(Target, fields)
  const change = validateLogoText(validation)
  validation.valueOrThrow()
  return change === 'none' ? '' : undefined
}

function find(
  board: Board,
  caller: Caller,
  tables: Tables,
  { id, source, external_id: externalId }: Target,
): { job: JobRow; isSourced: boolean } {
  if (source === undefined || externalId === undefined)
    return { job: getJobToManage(board, caller, id ?? 0, tables), isSourced: false }
  requireSource(tables, caller, source)
  const job = getSourcedJob(tables, caller, { source, externalId })
  if (id !== undefined && id !== job.id) throw new Problem('conflict', 'The id is that of another job.')
  return { job, isSourced: true }
}
