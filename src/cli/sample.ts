import sample from '../assets/sample.json'
import { DAY, wholeSeconds } from '../base/clock.ts'
import type { Board } from '../board.ts'
import { columnsOf } from '../features/jobs/actions.ts'
import { draftJob, endOf } from '../features/jobs/rules.ts'
import type { PlanRow } from '../store/rows.ts'
import type { TableReaders, Tables } from '../store/tables.ts'

/**
 * Puts the sample into an empty board, its jobs as old as they say; they belong to nobody. Gives how many jobs that
 * were, none if the board was not empty.
 */
export function fillWithSample({ store, clock }: Board): Promise<number> {
  return store.write(tables => {
    if (!isEmpty(tables)) return 0
    const now = wholeSeconds(clock())
    const categories = new Map(sample.categories.map(name => [name, tables.categories.add({ name }).id]))
    const terms = new Map(sample.terms.map(name => [name, tables.terms.add({ name }).id]))
    const plans = new Map(
      sample.plans.map(plan => [plan.name, tables.plans.add({ ...plan, archived: false })]),
    )
    for (const job of sample.jobs) {
      const plan = plans.get(job.plan)
      if (!plan) throw new Error(`the sample has no plan ${job.plan}`)
      const ids = {
        category_id: categories.get(job.category),
        term_id: terms.get(job.term),
        plan_id: plan.id,
      }
      addJob(tables, plan, { ...job, ...ids }, wholeSeconds(now - job.posted_days_ago * DAY))
    }
    return sample.jobs.length
  })
}

const isEmpty = ({ categories, terms, plans, jobs }: TableReaders) =>
  [categories, terms, plans, jobs].every(table => table.all().length === 0)

function addJob(tables: Tables, plan: PlanRow, fields: object, createdAt: number) {
  const { plan_id: planId, ...stated } = draftJob({
    values: new Map(Object.entries(fields)),
    form: false,
  }).settle()
  const moments = { createdAt, updatedAt: createdAt, expiresAt: endOf(createdAt, plan) }
  tables.jobs.add({ ...columnsOf(stated), ...moments, planId, userId: null, logo: '', pending: false })
}
