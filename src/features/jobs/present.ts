import { timestamp } from '../../base/clock.ts'
import type { Links } from '../../http/response/links.ts'
import { statusOf } from '../../search/jobIndex.ts'
import type { FunnelCounts } from '../../store/countRows.ts'
import type { JobRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { presentLabel } from '../labels/present.ts'
import { presentPlan } from '../plans/present.ts'
import { previewVersion } from '../previews/present.ts'
import { presentOwner } from '../users/present.ts'
import type { Job, OwnJob } from './responseSchemas.ts'

/** Returns a job as everybody sees it, with its category, term and plan as they are now. */
export function presentJob(job: JobRow, tables: TableReaders, links: Links): Job {
  const category = tables.categories.get(job.categoryId)
  const term = tables.terms.get(job.termId)
  const plan = tables.plans.get(job.planId)
  if (!category || !term || !plan) throw new Error(`Job ${job.id} refers to a missing record.`)
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
    term: presentLabel(term),
    category: presentLabel(category),
    plan: presentPlan(plan),
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
  ...presentJob(job, tables, links),
  status: statusOf(job, now),
  expires_at: job.expiresAt === null ? null : timestamp(job.expiresAt),
  updated_at: timestamp(job.updatedAt),
  views: counts.views,
  user: presentOwner(job.userId === null ? undefined : tables.users.get(job.userId)),
  apply_clicks: counts.applyClicks,
  impressions: counts.impressions,
})
