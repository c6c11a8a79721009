import { timestamp, timestampOrNull } from '../../base/clock.ts'
import type { Links } from '../../http/response/links.ts'
import type { FunnelCounts } from '../../store/countRows.ts'
import { statusOf } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { presentLabel } from '../labels/present.ts'
import { presentPlan } from '../plans/present.ts'
import { previewVersion } from '../previews/present.ts'
import { presentOwner } from '../users/present.ts'
import type { Job, OwnJob } from './responseSchemas.ts'

/** Returns a job as everybody sees it, with its category, term and plan as they are now. */
export function presentJob(job: JobRow, tables: TableReaders, links: Links): Job {
  const fields = presentFields(job, tables, links)
  const { term, category, plan } = fields
  if (!term || !category || !plan) throw new Error(`Job ${job.id} refers to a missing record.`)
  return { ...fields, term, category, plan }
}

/** Returns the fields that everybody sees, in their order. In a draft, term, category and plan can be null. */
export function presentFields(job: JobRow, tables: TableReaders, links: Links) {
  const category = tables.categories.get(job.categoryId)
  const term = tables.terms.get(job.termId)
  const plan = tables.plans.get(job.planId)
  return {
    id: job.id,
    title: job.title,
    description: job.description,
    location: job.location,
    arrangement: job.arrangement,
    salary: job.salary === null ? '' : String(job.salary),
    salary_currency: job.salaryCurrency,
    salary_period: job.salaryPeriod,
    company: job.company,
    company_website: job.companyWebsite,
    application_type: job.applicationType,
    ...(job.applicationType === 'url'
      ? { application_url: job.applicationUrl }
      : { application_email: job.applicationEmail }),
    term: term ? presentLabel(term) : null,
    category: category ? presentLabel(category) : null,
    plan: plan ? presentPlan(plan) : null,
    logo: links.logo(job.logo),
    url: links.job(job.id),
    preview_image_url: links.preview(job.id, previewVersion(job, { term, plan }, links.cardVersion)),
    created_at: timestamp(job.createdAt),
  }
}

/**
 * Returns a job as its owner and administrators see it.
 * @param counts how often others saw it in a list, read it and clicked Apply
 */
export const presentOwnJob = (
  job: JobRow,
  tables: TableReaders,
  links: Links,
  now: number,
  counts: FunnelCounts,
): OwnJob => ({
  ...presentFields(job, tables, links),
  status: statusOf(job, now),
  expires_at: timestampOrNull(job.expiresAt),
  updated_at: timestamp(job.updatedAt),
  views: counts.views,
  user: presentOwner(tables.users.get(job.userId)),
  publish_at: timestampOrNull(job.publishAt),
  published_at: timestampOrNull(job.publishedAt !== null && job.publishedAt <= now ? job.publishedAt : null),
  filled_at: timestampOrNull(job.filledAt),
  closed_at: timestampOrNull(job.closedAt),
  refusal: job.refusal,
  apply_clicks: counts.applyClicks,
  impressions: counts.impressions,
  source: job.source,
  external_id: job.externalId,
})
