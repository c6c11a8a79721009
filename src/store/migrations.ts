import type { Database } from 'lmdb'
import type { Databases } from './databases.ts'
import { StoreError } from './storeError.ts'
import type { Tables } from './tables.ts'

/** A stored row of any version. */
type OldRow = Readonly<Record<string, unknown>>
type OldDatabase = Database<OldRow, number>
type OldTable = Pick<OldDatabase, 'getRange'> & { put(id: number, row: OldRow): unknown }
type OldTables = Readonly<Record<string, { readonly rows: OldTable }>>

/** The number of rows in memory at a time. */
const BATCH_SIZE = 250

/**
 * The migrations from each version to the next: the first entry from 1 to 2, and so on. Append only: a released entry
 * never changes, so it doesn't use the current row types. All migrations that are due run in one transaction.
 */
const MIGRATIONS: readonly ((tables: OldTables, uniques: Databases['uniques']) => void)[] = [
  // 2: a job keeps its URL and its e-mail address for applications side by side, whichever of them its type chooses;
  // two columns of mails have new names
  ({ jobs, mails }) => {
    changeRows(jobs?.rows, ({ application, ...job }) => ({
      ...job,
      applicationUrl: job['applicationType'] === 'url' ? application : '',
      applicationEmail: job['applicationType'] === 'email' ? application : '',
    }))
    changeRows(mails?.rows, ({ letter, fault, ...mail }) => ({ ...mail, content: letter, lastError: fault }))
  },
  // 3: jobs have a life of drafts, scheduling, refusal, filling, closing and renewal; a token can be for a job; the mail
  // about a job that was deleted instead of approved has its own kind; impressions and apply clicks of a job
  // are counted too, by day, and the origins of its views, and the counts of all jobs together by day
  ({ jobs, tokens, mails, views, days }) => {
    const counts = { impressions: 0, applyClicks: 0, latest: null, sources: [], countries: [] }
    changeRows(views?.rows, row => ({ ...row, ...counts }))
    const funnel = { impressions: 0, views: 0, applyClicks: 0 }
    changeRows(days?.rows, row => ({ ...row, funnel }))
    changeRows(jobs?.rows, ({ appearedAt, ...job }) => ({
      ...job,
      renewing: false,
      refusal: null,
      submittedAt: job['createdAt'],
      publishAt: null,
      publishedAt: appearedAt,
      filledAt: null,
      closedAt: null,
      remindedOf: null,
      reminders: 0,
      renewedAt: null,
      warnedAt: null,
      claimEmail: null,
      source: null,
      externalId: null,
    }))
    changeRows(tokens?.rows, token => ({ ...token, jobId: null }))
    changeRows(mails?.rows, ({ content, ...mail }) => {
      const { kind, ...details } = content as { kind: string }
      return { ...mail, content: { kind: kind === 'refused' ? 'deleted' : kind, ...details } }
    })
  },
  // 4: the source and the external id of a job are unique together. Of several jobs with the same, which only an import
  // could create, the first keeps them
  ({ jobs }, uniques) =>
    changeRows(jobs?.rows, job => {
      const { source, externalId } = job
      const isValid = typeof source === 'string' && /^[a-z0-9._-]{1,64}$/.test(source)
      const key = isValid && typeof externalId === 'string' && `${source} ${externalId}`
      if (key === false || uniques.doesExist(['jobs', 'externalId', key]))
        return { ...job, source: null, externalId: null }
      void uniques.put(['jobs', 'externalId', key], Number(job['id']))
      return job
    }),
]

/** The schema version of the stores that this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length + 1

/** @throws StoreError if a newer program wrote the store, whose folder is named */
export function requireSupported(version: number | undefined, folder: string): void {
  if (version !== undefined && version > SCHEMA_VERSION)
    throw new StoreError(
      `${folder} was written by a newer Corkboard (schema version ${version}, this one supports ${SCHEMA_VERSION}). Use that one.`,
    )
}

/** Called with the table, the id, and the columns of a row before and after. */
type RowMigrated = (table: string, id: number, before: object, after: object) => void

/** Migrates a store from version `from` to the newest. Call it inside a transaction. */
export function migrate(tables: Tables, { uniques }: Databases, from: number, onChange: RowMigrated): void {
  const observed = Object.entries(
    tables as unknown as Readonly<Record<string, { readonly rows: OldDatabase }>>,
  ).map(([name, { rows }]) => {
    const put = (id: number, row: OldRow) => {
      onChange(name, id, rows.get(id) ?? {}, row)
      return rows.put(id, row)
    }
    return [name, { rows: { getRange: rows.getRange.bind(rows), put } }] as const
  })
  for (const migration of MIGRATIONS.slice(from - 1)) migration(Object.fromEntries(observed), uniques)
}

/** Replaces each row by another with the same id. */
function changeRows(table: OldTable | undefined, change: (row: OldRow) => OldRow): void {
  const after = (id: number) => [...(table?.getRange({ start: id + 1, limit: BATCH_SIZE }) ?? [])]
  for (let rows = after(0); rows.length > 0; rows = after(rows.at(-1)?.key ?? 0))
    for (const { key, value } of rows) void table?.put(key, change(value))
}
