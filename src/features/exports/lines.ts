import { timestamp, timestampOrNull } from '../../base/clock.ts'
import type { LogoFiles } from '../../images/logoFiles.ts'
import type { JobRow, Row } from '../../store/rows.ts'
import { type Snapshot, withSnapshot } from '../../store/snapshot.ts'
import type { Store } from '../../store/store.ts'
import type { TableReader } from '../../store/tableReader.ts'
import type { TableReaders } from '../../store/tables.ts'

/** The minimum length of the chunks in which lines are written, in characters. */
const CHUNK_LENGTH = 64 * 1024

/** The board to export. */
interface ExportSource {
  readonly store: Pick<Store, 'read'>
  readonly logos: LogoFiles
}

/**
 * Exports a whole board as JSON Lines, as it is at one moment.
 * @param write gets the text in chunks, and is awaited
 */
export async function writeExport(
  { store, logos }: ExportSource,
  write: (text: string) => Promise<unknown>,
): Promise<void> {
  const lock = await logos.preventRemoval()
  try {
    await withSnapshot(store, async snapshot => {
      let text = ''
      for await (const line of exportLines(store.read, snapshot, logos)) {
        text += `${JSON.stringify(line)}\n`
        if (text.length < CHUNK_LENGTH) continue
        await write(text)
        text = ''
      }
      await write(text)
    })
  } finally {
    lock.release()
  }
}

/**
 * Yields the lines as objects: first the records that jobs refer to, then the jobs, as in a create request but with names
 * instead of ids.
 */
async function* exportLines(
  tables: TableReaders,
  snapshot: Snapshot,
  logos: LogoFiles,
): AsyncGenerator<object> {
  for await (const { name } of snapshot.rows(tables.categories)) yield { corkboard: 'category', name }
  for await (const { name } of snapshot.rows(tables.terms)) yield { corkboard: 'term', name }
  for await (const { id: _, ...plan } of snapshot.rows(tables.plans)) yield { corkboard: 'plan', ...plan }
  for await (const { email, role, confirmed, createdAt } of snapshot.rows(tables.users))
    yield { corkboard: 'user', email, role, confirmed, created_at: timestamp(createdAt) }
  for await (const { email, confirmed, createdAt } of snapshot.rows(tables.subscribers))
    yield { corkboard: 'subscriber', email, confirmed, created_at: timestamp(createdAt) }
  const names = await readNames(tables, snapshot)
  for await (const { name, userId } of snapshot.rows(tables.sources)) {
    const user = userId === null ? undefined : names.user.get(userId)
    yield { corkboard: 'source', name, ...(user !== undefined && { user }) }
  }
  for await (const job of snapshot.rows(tables.jobs)) {
    // A draft that was entered without an account can only be claimed on this board.
    if (job.claimEmail !== null) continue
    const logo = await logos.read(job.logo)
    yield {
      ...jobLine(job, names),
      ...(logo && { logo: `data:image/webp;base64,${Buffer.from(logo).toString('base64')}` }),
    }
  }
}

/** Names by id. A draft has null instead of some ids. */
type Names = ReadonlyMap<number | null, string>

/** Reads the names by which jobs refer to other records. */
async function readNames({ categories, terms, plans, users }: TableReaders, snapshot: Snapshot) {
  const namesOf = async <R extends Row>(table: TableReader<R>, nameOf: (row: R) => string) => {
    const names = new Map<number, string>()
    for await (const row of snapshot.rows(table)) names.set(row.id, nameOf(row))
    return names
  }
  return {
    category: await namesOf(categories, ({ name }) => name),
    term: await namesOf(terms, ({ name }) => name),
    plan: await namesOf(plans, ({ name }) => name),
    user: await namesOf(users, ({ email }) => email),
  }
}

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
    renewed_at: timestampOrNull(job.renewedAt),
    warned_at: timestampOrNull(job.warnedAt),
    source: job.source,
    external_id: job.externalId,
  }
}
