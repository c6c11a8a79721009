import type { Static } from '@sinclair/typebox'
import { writeAs } from '../../accounts/writeAs.ts'
import { type Caller, isAdmin, isOwner } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import { forbidden, notFound, Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { enqueueRejection } from '../../mail/outbox.ts'
import { differs, type JobRow } from '../../store/rows.ts'
import type { TableReaders, Tables } from '../../store/tables.ts'
import { NO_FUNNEL_COUNTS } from '../../traffic/jobCounters.ts'
import type { Fields, Validation } from '../../validation/validation.ts'
import { validateLogo, withStoredLogo } from '../logos/rules.ts'
import { presentOwnJob } from './present.ts'
import type { OwnJob } from './responseSchemas.ts'
import {
  mayManage,
  maySee,
  needsApproval,
  needsReview,
  periodEndOf,
  validateChangedJob,
  validateFixedFields,
  validateReferences,
  validateTogether,
} from './rules.ts'
import type { JobFields, NewJob } from './schema.ts'

/** Returns a job. @throws Problem 'notFound' if it doesn't exist or the caller may not see it */
export function getJob(
  { store, clock }: Board,
  caller: Caller,
  id: number,
  tables: TableReaders = store.read,
): JobRow {
  const job = tables.jobs.get(id)
  if (!job || !maySee(caller, job, clock())) throw notFound('job')
  return job
}

/** Returns a job that the caller may edit. @throws Problem 'notFound', or 'forbidden' if it is somebody else's */
export function getJobToManage(board: Board, caller: Caller, id: number, tables?: TableReaders): JobRow {
  const job = getJob(board, caller, id, tables)
  if (!mayManage(caller, job)) throw forbidden()
  return job
}

/**
 * Checks that the caller's address is confirmed, which is required after an open registration.
 * @throws Problem 'forbidden' if it isn't
 */
export function requireConfirmed({ store }: Board, caller: Caller): void {
  const user = caller.userId === undefined ? undefined : store.read.users.get(caller.userId)
  if (user?.confirmed === false && !isAdmin(caller)) throw new Problem('forbidden', UNCONFIRMED)
}

const UNCONFIRMED =
  'Confirm your e-mail address first, with the link that was sent to it. If you have none, request a password reset (POST /password-resets.json), which confirms it too.'

/**
 * Creates a job, and returns it as its owner sees it. It is presented inside the transaction, because the next one may
 * delete its category.
 */
export async function createJob(
  board: Board,
  caller: Caller,
  input: Validation<Static<typeof NewJob>>,
): Promise<OwnJob> {
  const { store, clock, config, links, mail } = board
  validateTogether(input)
  const logo = await validateLogo(board.images.logoEncoder, input)
  if (input.hasErrors) {
    validateReferences(store.read, input)
    input.valueOrThrow()
  }
  return await withStoredLogo(board.images.logos, logo, name =>
    writeAs(store, caller, tables => {
      validateReferences(tables, input)
      const { plan_id: planId, ...stated } = input.valueOrThrow()
      const plan = tables.plans.get(planId)
      if (!plan) throw new Error('a plan went in the middle of a transaction')
      const createdAt = floorToSecond(clock())
      const pending = needsApproval(caller, plan, config.approve)
      const expiresAt = pending ? null : periodEndOf(createdAt, plan)
      const userId = caller.userId ?? null
      const appearedAt = pending ? null : createdAt
      const columns = {
        ...columnsOf(stated),
        planId,
        userId,
        logo: name ?? '',
        pending,
        expiresAt,
        appearedAt,
      }
      const job = tables.jobs.insert({ ...columns, createdAt, updatedAt: createdAt })
      if (pending)
        mail.outbox.enqueueForAdmins(tables, id => ({ kind: 'waiting', userId: id, jobId: job.id }))
      return presentOwnJob(job, tables, links, createdAt, NO_FUNNEL_COUNTS)
    }),
  )
}

/** Updates a job with the fields that were sent, and returns it as its owner sees it. The job is validated as a whole. */
export async function updateJob(board: Board, caller: Caller, id: number, fields: Fields): Promise<OwnJob> {
  const { store, clock, links, traffic } = board
  const { validation: early } = validateUpdate(board, caller, id, fields, store.read)
  const logo = await validateLogo(board.images.logoEncoder, early)
  early.valueOrThrow()
  return await withStoredLogo(board.images.logos, logo, name =>
    writeAs(store, caller, tables => {
      // The job may have changed since the first validation.
      const { job, validation, fixed } = validateUpdate(board, caller, id, fields, tables)
      const now = floorToSecond(clock())
      const after = {
        ...job,
        ...columnsOf(validation.valueOrThrow()),
        ...expiryPatch(fixed),
        logo: name ?? job.logo,
      }
      const changed = reviewed(board, caller, tables, job, after)
      if (differs(job, changed)) tables.jobs.update(job, { ...changed, updatedAt: now })
      return presentOwnJob(tables.jobs.get(id) ?? job, tables, links, now, traffic.countsOf(id))
    }),
  )
}

/**
 * Returns a changed job. It is pending again, and administrators are notified, if reviewed fields have changed. It keeps
 * its expiry, so that nobody gains time by editing.
 */
function reviewed({ config, mail }: Board, caller: Caller, tables: Tables, before: JobRow, after: JobRow) {
  const plan = tables.plans.get(before.planId)
  if (before.pending || !plan || !needsApproval(caller, plan, config.approve) || !needsReview(before, after))
    return after
  mail.outbox.enqueueForAdmins(tables, userId => ({ kind: 'waiting', userId, jobId: before.id }))
  return { ...after, pending: true }
}

function validateUpdate(board: Board, caller: Caller, id: number, fields: Fields, tables: TableReaders) {
  const job = getJobToManage(board, caller, id, tables)
  const validation = validateChangedJob(job, fields)
  const fixed = validateFixedFields(caller, job, fields)
  validation.addErrors(fixed.errors)
  validateReferences(tables, validation)
  return { job, validation, fixed: fixed.values }
}

export function deleteJob(board: Board, caller: Caller, id: number): Promise<JobRow> {
  return writeAs(board.store, caller, tables => {
    const job = getJobToManage(board, caller, id, tables)
    if (!isOwner(caller, job)) enqueueRejection(board.mail.outbox, tables, job)
    tables.jobs.remove(id)
    return job
  })
}

/**
 * Approves a pending job. Its period starts now, unless the job was active before: then it keeps its expiry and is not
 * announced again. A job that isn't pending stays as it is.
 */
export function approveJob({ store, clock, mail }: Board, caller: Caller, id: number): Promise<JobRow> {
  return writeAs(store, caller, tables => {
    const job = tables.jobs.get(id)
    const plan = job && tables.plans.get(job.planId)
    if (!job || !plan) throw notFound('job')
    if (!job.pending) return job
    const now = floorToSecond(clock())
    if (job.userId !== null) mail.outbox.enqueue(tables, { kind: 'approved', userId: job.userId, jobId: id })
    const beginning = job.appearedAt === null ? { appearedAt: now, expiresAt: periodEndOf(now, plan) } : {}
    return tables.jobs.update(job, { pending: false, ...beginning, updatedAt: now })
  })
}

const expiryPatch = ({ expires_at: at }: { expires_at?: number | null }) =>
  at === undefined ? {} : { expiresAt: at }

/** Returns the columns of a job's fields. */
export function columnsOf(stated: Static<typeof JobFields>) {
  return {
    title: stated.title,
    description: stated.description,
    location: stated.location,
    arrangement: stated.arrangement,
    salary: stated.salary,
    salaryCurrency: stated.salary_currency,
    salaryPeriod: stated.salary_period,
    company: stated.company,
    companyWebsite: stated.company_website,
    applicationType: stated.application_type,
    applicationUrl: stated.application_url ?? '',
    applicationEmail: stated.application_email ?? '',
    categoryId: stated.category_id,
    termId: stated.term_id,
  }
}
