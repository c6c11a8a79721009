import { timestamp, timestampOrNull } from '../base/clock.ts'
import type { JobRow, LabelRow, PlanRow, SubscriberRow, UserRow } from '../store/rows.ts'
import type { TableReaders } from '../store/tables.ts'

/** All records of an export at one moment. */
export interface Snapshot {
  readonly categories: readonly LabelRow[]
  readonly terms: readonly LabelRow[]
  readonly plans: readonly PlanRow[]
  readonly users: readonly UserRow[]
  readonly subscribers: readonly SubscriberRow[]
  readonly jobs: readonly JobRow[]
}

/** Reads everything synchronously, so that nothing changes in between. */
export const takeSnapshot = ({
  categories,
  terms,
  plans,
  users,
  subscribers,
  jobs,
}: TableReaders): Snapshot => ({
  categories: categories.all(),
  terms: terms.all(),
  plans: plans.all(),
  users: users.all(),
  subscribers: subscribers.all(),
  jobs: jobs.all(),
})

/**
 * Yields the lines as objects: first the records that jobs refer to, then the jobs, as in a create request but with names
 * instead of ids.
 * @param logoOf reads a logo by its name
 */
export async function* exportLines(
  contents: Snapshot,
  logoOf: (name: string) => Promise<Uint8Array | undefined>,
): AsyncGenerator<object> {
  for (const { name } of contents.categories) yield { corkboard: 'category', name }
  for (const { name } of contents.terms) yield { corkboard: 'term', name }
  for (const { id: _, ...plan } of contents.plans) yield { corkboard: 'plan', ...plan }
  for (const { email, role, confirmed, createdAt } of contents.users)
    yield { corkboard: 'user', email, role, confirmed, created_at: timestamp(createdAt) }
  for (const { email, confirmed, createdAt } of contents.subscribers)
    yield { corkboard: 'subscriber', email, confirmed, created_at: timestamp(createdAt) }
  const names = namesById(contents)
  for (const job of contents.jobs) {
    const logo = job.logo === '' ? undefined : await logoOf(job.logo)
    yield {
      ...jobLine(job, names),
      ...(logo && { logo: `data:image/webp;base64,${Buffer.from(logo).toString('base64')}` }),
    }
  }
}

/** Names by id. A draft has null instead of some ids. */
type Names = ReadonlyMap<number | null, string>

const namesById = ({ categories, terms, plans, users }: Snapshot) => ({
  category: new Map(categories.map(({ id, name }) => [id, name])),
  term: new Map(terms.map(({ id, name }) => [id, name])),
  plan: new Map(plans.map(({ id, name }) => [id, name])),
  user: new Map(users.map(({ id, email }) => [id, email])),
})

function jobLine(job: JobRow, names: Readonly<Record<'category' | 'term' | 'plan' | 'user', Names>>) {
  const user = names.user.get(job.userId)
  return {
    corkboard: 'job',
    title: job.title,
    description: job.description,
    location: job.location,
    arrangement: job.arrangement,
    salary: job.salary,
    salary_currency: job.salaryCurrency,
    salary_period: job.salaryPeriod,
    company: job.company,
    company_website: job.companyWebsite,
    application_type: job.applicationType,
    ...(job.applicationUrl !== '' && { application_url: job.applicationUrl }),
    ...(job.applicationEmail !== '' && { application_email: job.applicationEmail }),
    category: names.category.get(job.categoryId),
    term: names.term.get(job.termId),
    plan: names.plan.get(job.planId),
    ...(user !== undefined && { user }),
    pending: job.pending,
    created_at: timestamp(job.createdAt),
    updated_at: timestamp(job.updatedAt),
    renewing: job.renewing,
    refusal: job.refusal,
    submitted_at: timestampOrNull(job.submittedAt),
    publish_at: timestampOrNull(job.publishAt),
    published_at: timestampOrNull(job.publishedAt),
    filled_at: timestampOrNull(job.filledAt),
    closed_at: timestampOrNull(job.closedAt),
    expires_at: timestampOrNull(job.expiresAt),
    reminded_of: timestampOrNull(job.remindedOf),
    reminders: job.reminders,
    warned_at: timestampOrNull(job.warnedAt),
    source: job.source,
    external_id: job.externalId,
  }
}
