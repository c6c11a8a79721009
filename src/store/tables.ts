import type { DayRow, JobDaysRow, ViewsRow } from './countRows.ts'
import type { Databases } from './databases.ts'
import type { JournalRow } from './journal/journalRow.ts'
import type { JobRow, LabelRow, MailRow, PlanRow, Row, SettingsRow, SubscriberRow, UserRow } from './rows.ts'
import type { BatchRow, SourceJobRow, SourceRow, SourceRunRow } from './sourceRows.ts'
import { type RowChange, Table } from './table.ts'
import type { TableReader } from './tableReader.ts'
import type { AccessTokenRow, SessionRow, TokenRow } from './tokenRows.ts'
import type { WebhookLogRow, WebhookRow } from './webhookRows.ts'

/** All tables and their row types. */
export interface Rows {
  categories: LabelRow
  terms: LabelRow
  plans: PlanRow
  users: UserRow
  sessions: SessionRow
  accessTokens: AccessTokenRow
  jobs: JobRow
  subscribers: SubscriberRow
  tokens: TokenRow
  mails: MailRow
  views: ViewsRow
  jobDays: JobDaysRow
  days: DayRow
  settings: SettingsRow
  sources: SourceRow
  sourceJobs: SourceJobRow
  sourceRuns: SourceRunRow
  batches: BatchRow
  journal: JournalRow
  webhooks: WebhookRow
  webhookLogs: WebhookLogRow
}

export type TableName = keyof Rows
/** The tables to write to, inside a transaction. */
export type Tables = { readonly [N in TableName]: Table<Rows[N]> }
/** The tables to read from. */
export type TableReaders = { readonly [N in TableName]: TableReader<Rows[N]> }

/** A change to a row, with the name of its table. */
export type Change = { [N in TableName]: { readonly table: N } & RowChange<Rows[N]> }[TableName]

/** Folds a name. Two names with the same result count as the same. */
export const foldName = (name: string) => name.normalize('NFC').toLowerCase()

const exact = (value: string) => value

/** Defines the schema: unique columns, references, and what happens when a referenced row is removed. */
export function openTables(databases: Databases, changed: (change: Change) => void): Tables {
  const table = <N extends TableName>(name: N, options: ConstructorParameters<typeof Table<Rows[N]>>[3]) =>
    // N is the name of the table and of its row type, which TypeScript can't follow through the union
    new Table<Rows[N]>(name, databases, change => changed({ table: name, ...change } as Change), options)

  const categories = table('categories', { unique: { name: foldName } })
  const terms = table('terms', { unique: { name: foldName } })
  const plans = table('plans', { unique: { name: foldName } })
  const users = table('users', { unique: { email: foldName } })
  const sessions = table('sessions', {
    unique: { hash: exact },
    references: { userId: { to: asTarget(users), onRemove: 'cascade' } },
  })
  const accessTokens = table('accessTokens', {
    unique: { hash: exact },
    references: { userId: { to: asTarget(users), onRemove: 'cascade' } },
  })
  const jobs = table('jobs', {
    unique: { externalId: exact },
    within: { externalId: 'source' },
    references: {
      categoryId: { to: asTarget(categories), onRemove: 'cascade' },
      termId: { to: asTarget(terms), onRemove: 'cascade' },
      planId: { to: asTarget(plans), onRemove: 'restrict' },
      userId: { to: asTarget(users), onRemove: 'setNull' },
    },
  })
  const subscribers = table('subscribers', { unique: { email: foldName } })
  const tokens = table('tokens', {
    unique: { hash: exact },
    references: {
      subscriberId: { to: asTarget(subscribers), onRemove: 'cascade' },
      userId: { to: asTarget(users), onRemove: 'cascade' },
      jobId: { to: asTarget(jobs), onRemove: 'cascade' },
    },
  })
  const mails = table('mails', {}) // a mail whose recipient is gone isn't sent
  const views = table('views', {
    references: { id: { to: asTarget(jobs), onRemove: 'cascade' } },
    foreignIds: true,
  })
  const jobDays = table('jobDays', {
    references: { id: { to: asTarget(jobs), onRemove: 'cascade' } },
    foreignIds: true,
  })
  const days = table('days', { foreignIds: true })
  const settings = table('settings', { foreignIds: true })
  const sources = table('sources', {
    unique: { name: exact },
    references: { userId: { to: asTarget(users), onRemove: 'setNull' } },
  })
  const sourceJobs = table('sourceJobs', {
    references: { id: { to: asTarget(jobs), onRemove: 'cascade' } },
    foreignIds: true,
  })
  const sourceRuns = table('sourceRuns', {
    references: { sourceId: { to: asTarget(sources), onRemove: 'cascade' } },
  })
  const batches = table('batches', {
    unique: { hash: exact },
    references: { userId: { to: asTarget(users), onRemove: 'cascade' } },
  })
  const journal = table('journal', {
    references: {
      jobId: { to: asTarget(jobs), onRemove: 'keep' },
      categoryId: { to: asTarget(categories), onRemove: 'keep' },
      termId: { to: asTarget(terms), onRemove: 'keep' },
      planId: { to: asTarget(plans), onRemove: 'keep' },
      userId: { to: asTarget(users), onRemove: 'keep' },
      subscriberId: { to: asTarget(subscribers), onRemove: 'keep' },
      sourceRunId: { to: asTarget(sourceRuns), onRemove: 'keep' },
    },
  })
  const webhooks = table('webhooks', {})
  const webhookLogs = table('webhookLogs', {
    references: { id: { to: asTarget(webhooks), onRemove: 'cascade' } },
    foreignIds: true,
  })
  return {
    categories,
    terms,
    plans,
    users,
    sessions,
    accessTokens,
    jobs,
    subscribers,
    tokens,
    mails,
    views,
    jobDays,
    days,
    settings,
    sources,
    sourceJobs,
    sourceRuns,
    batches,
    journal,
    webhooks,
    webhookLogs,
  }
}

/** Returns a table as the target of a reference, independent of its row type. */
const asTarget = <R extends Row>(table: Table<R>) => table as unknown as Table<never>
