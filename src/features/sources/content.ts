import type { JobRow } from '../../store/rows.ts'
import type { columnsOf } from '../jobs/jobWriter.ts'

/** Returns a hash of values that are equal if they become the same JSON. */
export const hashOf = (values: unknown): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(values)).digest('base64')

type ContentColumn = keyof ReturnType<typeof columnsOf>

/** The columns of a job that a source sends. Editing any of them detaches the job. */
const CONTENT: Readonly<Record<ContentColumn, true>> = {
  title: true,
  description: true,
  location: true,
  arrangement: true,
  salary: true,
  salaryCurrency: true,
  salaryPeriod: true,
  company: true,
  companyWebsite: true,
  applicationType: true,
  applicationUrl: true,
  applicationEmail: true,
  categoryId: true,
  termId: true,
}
const COLUMNS = Object.keys(CONTENT) as ContentColumn[]

/** Returns the hash of a job's content. */
export const contentHashOf = (job: JobRow): string => hashOf(COLUMNS.map(column => job[column]))
