import type { TestBoard } from './board.ts'

/** The ids of a category, a term and plans to post jobs with. */
export interface References {
  readonly category: number
  readonly other: number
  readonly term: number
  /** Its jobs never expire. */
  readonly plan: number
  /** Its jobs expire after a day. */
  readonly brief: number
  /** Pinned, highlighted and badged. */
  readonly featured: number
}

export const createReferences = ({ board }: TestBoard): Promise<References> =>
  board.store.write(tables => {
    const category = tables.categories.insert({ name: 'Care & <Cure>' }).id
    const other = tables.categories.insert({ name: 'Bees' }).id
    const term = tables.terms.insert({ name: 'Full-time' }).id
    const plain = { price: 0, period: 0, highlight: false, badge: false, pin: false, archived: false }
    const plan = tables.plans.insert({ ...plain, name: 'Plain' }).id
    const brief = tables.plans.insert({ ...plain, name: 'Brief', period: 1 }).id
    const featured = tables.plans.insert({
      ...plain,
      name: 'Best',
      highlight: true,
      badge: true,
      pin: true,
    }).id
    return { category, other, term, plan, brief, featured }
  })

/** Returns a valid body of a job with the given fields. */
export const jobBody = (
  { category, term, plan }: Pick<References, 'category' | 'term' | 'plan'>,
  fields: object = {},
) => ({
  title: 'Nurse',
  description: 'We **care**.',
  location: 'Lisbon, Portugal',
  company: 'Harbour Hospice',
  company_website: 'https://harbour.example.org',
  application_url: 'https://harbour.example.org/apply',
  category_id: category,
  term_id: term,
  plan_id: plan,
  ...fields,
})
