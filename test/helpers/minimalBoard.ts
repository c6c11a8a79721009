import type { Account, TestBoard } from './board.ts'

/** Adds what a board needs before jobs can be posted: a category, a term, a free plan and a paid one. */
export async function addMinimalRecords(board: TestBoard): Promise<void> {
  await board.board.store.write(tables => {
    tables.categories.insert({ name: 'Care' })
    tables.terms.insert({ name: 'Permanent' })
    const plan = { period: 30, highlight: false, badge: false, pin: false, archived: false }
    tables.plans.insert({ ...plan, name: 'Free', price: 0 })
    tables.plans.insert({ ...plan, name: 'Paid', price: 90 })
  })
}

export const FREE = 1
export const PAID = 2

const JOB = {
  title: 'Night nurse',
  description: 'Nights, four a week.',
  location: 'Leeds',
  company: 'St Anne’s',
  company_website: 'https://stanne.example',
  application_url: 'https://stanne.example/apply',
  category_id: 1,
  term_id: 1,
  plan_id: FREE,
}

/** Posts a job with the given fields and defaults for the others. */
export const postJob = (board: TestBoard, as: Account, fields: Readonly<Record<string, unknown>> = {}) =>
  board.post('/jobs.json', { as, body: { ...JOB, ...fields } })
