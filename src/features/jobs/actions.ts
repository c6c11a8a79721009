import type { Static } from '@sinclair/typebox'
import { writeAs } from '../../accounts/writeAs.ts'
import { type Caller, isOwner } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { announcePending, enqueueRejection } from '../../mail/outbox.ts'
import { NO_FUNNEL_COUNTS } from '../../store/countRows.ts'
import { differs, type JobRow } from '../../store/rows.ts'
import type { TableReaders, Tables } from '../../store/tables.ts'
import type { Fields, Validation } from '../../validation/validation.ts'
import { validateLogo, withStoredLogo } from '../logos/rules.ts'
import { getJobToManage } from './access.ts'
import { presentOwnJob } from './present.ts'
import {
  needsApproval,
  newDraft,
  periodEndOf,
  type PublicationPatch,
  startOf,
  submissionOf,
  validatePublication,
} from './publication.ts'
import type { OwnJob } from './responseSchemas.ts'
import {
  needsReview,
  validateChangedJob,
  validateCurrency,
  validateReferences,
  validateTogether,
} from './rules.ts'
import type { DraftFields, NewDraft } from './schema.ts'

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
  const { store, clock, config, links, mail } = board
  const isDraft = input.value('draft') === true
  if (isDraft) validateCurrency(input)
  else validateTogether(input)
  const { values: patch, errors } = validatePublication(caller, undefined, input.fields, clock())
  input.addErrors(errors)
  const logo = await validateLogo(board.images.logoEncoder, input)
  if (input.hasErrors) {
    validateReferences(store.read, input, input.value('plan_id'))
    input.valueOrThrow()
  }
  return await withStoredLogo(board.images.logos, logo, name =>
    writeAs(store, caller, tables => {
      validateReferences(tables, input, input.value('plan_id'))
      const { plan_id: planId = null, ...stated } = input.valueOrThrow()
      const now = floorToSecond(clock())
      const draft = {
        ...columnsOf(stated),
        ...newDraft(now),
        planId,
        userId: caller.userId ?? null,
        logo: name ?? '',
        publishAt: patch.publishAt ?? null,
        claimEmail,
      }
      const submitted = isDraft ? {} : submissionOf(caller, draft, tables, config.approve, now)
      const job = tables.jobs.insert({ ...draft, ...submitted })
      if (job.pending) announcePending(mail.outbox, tables, job.id)
      if (claimEmail !== null) mail.outbox.enqueue(tables, { kind: 'post', jobId: job.id })
      return presentOwnJob(job, tables, links, now, NO_FUNNEL_COUNTS)
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
      const { job, validation, patch } = validateUpdate(board, caller, id, fields, tables)
      const now = floorToSecond(clock())
      const stated = validation.valueOrThrow()
      const after = {
        ...job,
        ...columnsOf(stated),
        ...(job.submittedAt === null && { planId: stated.plan_id ?? null, warnedAt: null }),
        ...publicationColumns(tables, job, patch, now),
        logo: name ?? job.logo,
      }
      const changed = reviewed(board, caller, tables, job, after, now)
      if (differs(job, changed)) tables.jobs.update(job, { ...changed, updatedAt: now })
      return presentOwnJob(tables.jobs.get(id) ?? job, tables, links, now, traffic.countsOf(id))
    }),
  )
}

/** Returns the changed columns that decide when a job is public. A new time of publication moves a scheduled job's period. */
function publicationColumns(tables: TableReaders, job: JobRow, patch: PublicationPatch, now: number) {
  const plan = tables.plans.get(job.planId)
  if (patch.publishAt === undefined || job.publishedAt === null || !plan) return patch
  const publishedAt = startOf({ publishAt: patch.publishAt }, now)
  return { publishedAt, expiresAt: periodEndOf(publishedAt, plan), ...patch }
}

/**
 * Returns a changed job. It is pending again, and administrators are notified, if reviewed fields have changed. It keeps
 * its expiry, so that nobody gains time by editing.
 */
function reviewed(
  { config, mail }: Board,
  caller: Caller,
  tables: Tables,
  before: JobRow,
  after: JobRow,
  now: number,
) {
  const plan = tables.plans.get(before.planId)
  const isApproved = before.publishedAt !== null && !before.pending && before.refusal === null
  if (!isApproved || !plan || !needsApproval(caller, plan, config.approve) || !needsReview(before, after))
    return after
  announcePending(mail.outbox, tables, before.id)
  // The period of a job that isn't public yet starts with its approval.
  const start = (before.publishedAt ?? 0) > now ? { publishedAt: null, expiresAt: null } : {}
  return { ...after, ...start, pending: true }
}

function validateUpdate(board: Board, caller: Caller, id: number, fields: Fields, tables: TableReaders) {
  const job = getJobToManage(board, caller, id, tables)
  const validation = validateChangedJob(job, fields)
  const { values: patch, errors } = validatePublication(caller, job, fields, board.clock())
  validation.addErrors(errors)
  validateReferences(tables, validation, patch.planId)
  return { job, validation, patch }
}

export function deleteJob(board: Board, caller: Caller, id: number): Promise<JobRow> {
  return writeAs(board.store, caller, tables => {
    const job = getJobToManage(board, caller, id, tables)
    if (!isOwner(caller, job)) enqueueRejection(board.mail.outbox, tables, job)
    tables.jobs.remove(id)
    return job
  })
}

/** Returns the columns of a job's fields. */
export function columnsOf(stated: Omit<DraftFields, 'plan_id'>) {
  return {
    title: stated.title,
    description: stated.description ?? '',
    location: stated.location ?? '',
    arrangement: stated.arrangement,
    salary: stated.salary,
    salaryCurrency: stated.salary_currency,
    salaryPeriod: stated.salary_period,
    company: stated.company ?? '',
    companyWebsite: stated.company_website ?? '',
    applicationType: stated.application_type,
    applicationUrl: stated.application_url ?? '',
    applicationEmail: stated.application_email ?? '',
    categoryId: stated.category_id ?? null,
    termId: stated.term_id ?? null,
  }
}
