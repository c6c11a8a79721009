import { type Caller, isOwner } from '../../base/caller.ts'
import { type Clock, floorToSecond } from '../../base/clock.ts'
import { announcePending, enqueueRejection, type Outbox } from '../../mail/outbox.ts'
import { differs, type JobRow } from '../../store/rows.ts'
import type { TableReaders, Tables } from '../../store/tables.ts'
import {
  type Approval,
  needsApproval,
  newDraft,
  periodEndOf,
  type PublicationPatch,
  startOf,
  submissionOf,
} from './publication.ts'
import { needsReview } from './rules.ts'
import type { DraftFields } from './schema.ts'

/** What writing jobs requires of a board. A command has no board. */
export interface JobServices {
  readonly clock: Clock
  readonly config: { readonly approve: Approval }
  readonly mail: { readonly outbox: Outbox }
}

/**
 * Inserts a job, inside a transaction. Unless it is a draft, it is submitted.
 * @param stated the validated fields
 * @param columns other columns, such as its logo
 */
export function insertJob(
  { clock, config, mail }: JobServices,
  caller: Caller,
  tables: Tables,
  stated: DraftFields,
  columns: Partial<JobRow> & { readonly isDraft?: boolean },
): JobRow {
  const { isDraft = false, ...others } = columns
  const now = floorToSecond(clock())
  const draft = {
    ...columnsOf(stated),
    ...newDraft(now),
    planId: stated.plan_id ?? null,
    userId: caller.userId ?? null,
    logo: '',
    ...others,
  }
  const submitted = isDraft ? {} : submissionOf(caller, draft, tables, config.approve, now)
  const job = tables.jobs.insert({ ...draft, ...submitted })
  if (job.pending) announcePending(mail.outbox, tables, job.id)
  return job
}

/**
 * Changes columns of a job, inside a transaction, and returns it. It is the same object if nothing differs.
 * @param patch the changes that decide when it is public
 */
export function changeJob(
  services: JobServices,
  caller: Caller,
  tables: Tables,
  job: JobRow,
  columns: Partial<JobRow>,
  patch: PublicationPatch,
): JobRow {
  const now = floorToSecond(services.clock())
  const after = { ...job, ...columns, ...publicationColumns(tables, job, patch, now) }
  const changed = reviewed(services, caller, tables, job, after, now)
  return differs(job, changed) ? tables.jobs.update(job, { ...changed, updatedAt: now }) : job
}

/** Removes a job, inside a transaction. Its owner is told, if it was awaiting approval. */
export function removeJob(
  { mail }: Pick<JobServices, 'mail'>,
  caller: Caller,
  tables: Tables,
  job: JobRow,
): JobRow {
  if (!isOwner(caller, job)) enqueueRejection(mail.outbox, tables, job)
  tables.jobs.remove(job.id)
  return job
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
  { config, mail }: JobServices,
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
