import type { Static } from '@sinclair/typebox'
import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { NO_FUNNEL_COUNTS } from '../../store/countRows.ts'
import type { JobRow } from '../../store/rows.ts'
import type { TableReaders, Tables } from '../../store/tables.ts'
import type { Fields, Validation } from '../../validation/validation.ts'
import { validateLogo, withStoredLogo } from '../logos/rules.ts'
import { getJobToManage } from './access.ts'
import { useHtmlDescription } from './htmlField.ts'
import { changeJob, columnsOf, insertJob, removeJob } from './jobWriter.ts'
import { presentOwnJob } from './present.ts'
import { validatePublication } from './publication.ts'
import type { OwnJob } from './responseSchemas.ts'
import { validateChangedJob, validateCurrency, validateReferences, validateTogether } from './rules.ts'
import type { NewDraft } from './schema.ts'

/**
 * Creates a job or a draft, and returns it as its owner sees it. It is presented inside the transaction, because the next
 * one may delete its category.
 * @param claimEmail the address that gets a link to claim a draft without an owner
 */
export async function createJob(
  board: Board,
  caller: Caller,
  input: Validation<Static<typeof NewDraft>>,
  claimEmail: string | null = null,
): Promise<OwnJob> {
  const { store, clock, links, mail } = board
  const { isDraft, publishAt } = validateNewJob(caller, input, clock())
  const logo = await validateLogo(board.images.logoEncoder, input)
  if (input.hasErrors) {
    validateReferences(store.read, input, input.value('plan_id'))
    input.valueOrThrow()
  }
  return await withStoredLogo(board.images.logos, logo, name =>
    writeAs(store, caller, tables => {
      validateReferences(tables, input, input.value('plan_id'))
      const columns = { isDraft, logo: name ?? '', publishAt, claimEmail }
      const job = insertJob(board, caller, tables, input.valueOrThrow(), columns)
      if (claimEmail !== null) mail.outbox.enqueue(tables, { kind: 'post', jobId: job.id })
      return presentOwnJob(job, tables, links, floorToSecond(clock()), NO_FUNNEL_COUNTS)
    }),
  )
}

/** Validates what a schema can't express about a new job, except its references and its logo. */
export function validateNewJob(caller: Caller, input: Validation<Static<typeof NewDraft>>, now: number) {
  const isDraft = input.value('draft') === true
  useHtmlDescription(input)
  if (isDraft) validateCurrency(input)
  else validateTogether(input)
  const { values: patch, errors } = validatePublication(caller, undefined, input.fields, now)
  input.addErrors(errors)
  return { isDraft, publishAt: patch.publishAt ?? null }
}

/** Updates a job with the fields that were sent, and returns it as its owner sees it. The job is validated as a whole. */
export async function updateJob(board: Board, caller: Caller, id: number, fields: Fields): Promise<OwnJob> {
  const { store, clock, links, traffic } = board
  const { validation: early } = validateUpdate(board, caller, id, fields, store.read)
  const logo = await validateLogo(board.images.logoEncoder, early)
  early.valueOrThrow()
  return await withStoredLogo(board.images.logos, logo, name =>
    writeAs(store, caller, tables => {
      const job = applyUpdate(board, caller, tables, id, fields, name)
      return presentOwnJob(job, tables, links, floorToSecond(clock()), traffic.countsOf(id))
    }),
  )
}

/**
 * Updates a job inside a transaction. It is validated there, because it may have changed since a first validation.
 * @param logo the name of its new logo; undefined to keep the old one
 */
export function applyUpdate(
  board: Board,
  caller: Caller,
  tables: Tables,
  id: number,
  fields: Fields,
  logo?: string,
): JobRow {
  const { job, validation, patch } = validateUpdate(board, caller, id, fields, tables)
  const stated = validation.valueOrThrow()
  const columns = {
    ...columnsOf(stated),
    ...(job.submittedAt === null && { planId: stated.plan_id ?? null, warnedAt: null }),
    ...(logo !== undefined && { logo }),
  }
  return changeJob(board, caller, tables, job, columns, patch)
}

function validateUpdate(board: Board, caller: Caller, id: number, fields: Fields, tables: TableReaders) {
  const job = getJobToManage(board, caller, id, tables)
  const validation = validateChangedJob(job, fields)
  const { values: patch, errors } = validatePublication(caller, job, fields, board.clock())
  validation.addErrors(errors)
  validateReferences(tables, validation, patch.planId)
  return { job, validation, patch }
}

export const deleteJob = (board: Board, caller: Caller, id: number): Promise<JobRow> =>
  writeAs(board.store, caller, tables =>
    removeJob(board, caller, tables, getJobToManage(board, caller, id, tables)),
  )
