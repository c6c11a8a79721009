import { newDraft } from '../../src/features/jobs/publication.ts'
import type { JobRow } from '../../src/store/rows.ts'
import type { Tables } from '../../src/store/tables.ts'

/** Returns the columns of a job of category 1, term 1 and plan 1. */
export const newJob = (title: string, length: number, logo = ''): Omit<JobRow, 'id'> => ({
  title,
  description: 'x'.repeat(length),
  location: 'Lisbon',
  arrangement: 'remote',
  salary: null,
  salaryCurrency: 'USD',
  salaryPeriod: 'monthly',
  company: 'Acme',
  companyWebsite: 'https://acme.example',
  applicationType: 'url',
  applicationUrl: 'https://acme.example/apply',
  applicationEmail: '',
  categoryId: 1,
  termId: 1,
  planId: 1,
  userId: null,
  logo,
  ...newDraft(0),
  submittedAt: 0,
  publishedAt: 0,
})

/** Adds a category, a term and a plan with so many jobs. */
export function fillTables({ categories, terms, plans, jobs }: Tables, count: number, length: number): void {
  for (const table of [categories, terms]) table.insert({ name: 'one' })
  plans.insert({
    name: 'one',
    price: 0,
    period: 0,
    highlight: false,
    badge: false,
    pin: false,
    archived: false,
  })
  for (let job = 0; job < count; job++) jobs.insert(newJob(`Job ${job}`, length))
}
