import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import { forbidden, invalid, notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { statusOf } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import type { Tables } from '../../store/tables.ts'
import { parseField } from '../../validation/field.ts'
import { externalIdField } from '../../validation/textFields.ts'
import type { Fields } from '../../validation/validation.ts'
import { presentOwnJob } from '../jobs/present.ts'
import type { OwnJob } from '../jobs/responseSchemas.ts'
import { mayManage } from '../jobs/rules.ts'
import { validateLogo, withStoredLogo } from '../logos/rules.ts'
import { requireSource } from './access.ts'
import { closeForSource } from './closing.ts'
import { JobAllowance } from './jobAllowance.ts'
import { checkPosting, findSourcedJob } from './posting.ts'
import { type Upserted, upsertJob } from './upsert.ts'

/** The id of a job in its source, as a field. */
export const EXTERNAL_ID_FIELD = externalIdField({
  description: "The job's id in its source, as it stands there.",
  examples: ['REQ-1042'],
})

/** @throws Problem 'invalid' if it can't be the id of a job */
export function requireExternalId(externalId: string): void {
  const { error } = parseField(EXTERNAL_ID_FIELD, externalId)
  if (error !== undefined) throw invalid({ external_id: [error] })
}

/** The place of a job in its source. */
interface SourcedId {
  readonly source: string
  readonly externalId: string
}

/** Creates or changes the job of a source, and returns it as its owner sees it. */
export async function putSourcedJob(
  board: Board,
  context: RequestContext,
  { source, externalId }: SourcedId,
  fields: Fields,
): Promise<{ readonly json: OwnJob; readonly outcome: Upserted['outcome'] }> {
  const { store, clock, links, traffic, images } = board
  const { caller } = context
  const before = findSourcedJob(store.read, source, externalId)
  const { validation } = checkPosting(store.read, caller, before, fields, floorToSecond(clock()))
  const logo = await validateLogo(images.logoEncoder, validation)
  validation.valueOrThrow()
  const allowance = new JobAllowance(context)
  const sender = { services: board, caller, countJob: allowance.countJob }
  const put = (name: string | undefined) =>
    writeAs(store, caller, tables => {
      requireSource(tables, caller, source)
      const { job, outcome } = upsertJob(sender, tables, { source, externalId, fields, logo: name })
      const json = presentOwnJob(job, tables, links, floorToSecond(clock()), traffic.countsOf(job.id))
      return { json, outcome, isUsed: job.logo === name }
    })
  return await allowance.run(() =>
    withStoredLogo(images.logos, logo, async name => {
      const result = await put(name)
      // The job has the same picture already.
      if (!result.isUsed && name !== undefined && name !== '') await images.logos.remove(name)
      return result
    }),
  )
}

/** Closes the job of a source. @throws Problem 'notFound', 'forbidden' or 'conflict' */
export const closeSourcedJob = (board: Board, caller: Caller, id: SourcedId): Promise<JobRow> =>
  writeAs(board.store, caller, tables => {
    requireSource(tables, caller, id.source)
    return closeIfOpen(board, tables, getSourcedJob(tables, caller, id))
  })

/** Returns the job of a source that the caller may manage. @throws Problem 'notFound' or 'forbidden' */
export function getSourcedJob(tables: Tables, caller: Caller, { source, externalId }: SourcedId): JobRow {
  const job = findSourcedJob(tables, source, externalId)
  if (!job) throw notFound('job')
  if (!mayManage(caller, job)) throw forbidden()
  return job
}

/** Closes a job for its source. One that has expired is over already. */
export const closeIfOpen = (board: Board, tables: Tables, job: JobRow): JobRow =>
  statusOf(job, board.clock()) === 'expired' ? job : closeForSource(board, tables, job)
