import type { Static } from '@sinclair/typebox'
import { check, type Draft, type Sent } from '../../base/check.ts'
import { columnsOf } from '../../features/jobs/actions.ts'
import { draftForeignJob, endOf, isBlank, refuseDangling } from '../../features/jobs/rules.ts'
import type { ForeignJob } from '../../features/jobs/schema.ts'
import { PlanFields } from '../../features/plans/schema.ts'
import type { PlanRow } from '../../store/rows.ts'
import type { TableReaders, Tables } from '../../store/tables.ts'

type NewPlan = Static<typeof PlanFields>

/** What a plan is that has only a name: it costs nothing and never ends. */
const BARE_PLAN = { price: 0, period: 0 }

/** A job that is to be taken in. */
export interface DraftedRow {
  readonly draft: Draft<Static<typeof ForeignJob>>
  /** What its plan is to be if it must be made. */
  readonly plan: Draft<NewPlan>
}

/**
 * Reads a row by the rules of the board, in which category, term and plan may go by name, also inside of an object.
 * Every fault is in its draft.
 * @param defaultPlan the plan of rows that name none
 * @param now in milliseconds since 1970, whole seconds
 */
export function draftRow(sent: Sent, tables: TableReaders, defaultPlan: string, now: number): DraftedRow {
  const values = new Map(sent.values)
  for (const name of ['category', 'term', 'plan']) values.set(name, nameIn(values.get(name)))
  if (isBlank(values.get('plan')) && isBlank(values.get('plan_id'))) values.set('plan', defaultPlan)
  const draft = draftForeignJob({ values, form: sent.form }, now)
  refuseDangling(tables, draft)
  const plan = draftPlan(values.get('plan'), sent.values.get('plan'))
  const name = draft.value('plan')
  if (name !== undefined) {
    for (const [field, [fault]] of Object.entries(plan.faults)) draft.refuse('plan', `${field} ${fault}`)
    if (tables.plans.find('name', name)?.archived) draft.refuse('plan', 'is not offered any more')
  }
  return { draft, plan }
}

/** Another service gives `{id, name}`, of which only the name says something here. */
function nameIn(value: unknown): unknown {
  if (!isObject(value)) return value
  return 'name' in value ? value.name : undefined
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

function draftPlan(name: unknown, said: unknown): Draft<NewPlan> {
  const details = isObject(said) ? said : {}
  const values = new Map<string, unknown>(Object.entries({ ...BARE_PLAN, ...details, name }))
  return check(PlanFields, { values, form: false })
}

/** What an import made besides jobs, by name. */
export type Made = Readonly<Record<'categories' | 'terms' | 'plans', string[]>>

/** Takes jobs in, and makes what they name and is not there. They have no owner, and wait for nobody. */
export class Intake {
  readonly made: Made = { categories: [], terms: [], plans: [] }
  jobs = 0

  constructor(private readonly tables: Tables) {}

  /**
   * @param start from when the job's period counts, in milliseconds since 1970
   * @throws Problem 'invalid'
   */
  add({ draft, plan: newPlan }: DraftedRow, start: number, logo = ''): void {
    const job = draft.settle()
    const plan = this.plan(job, newPlan)
    const stated = {
      ...job,
      category_id: this.label('categories', job.category, job.category_id),
      term_id: this.label('terms', job.term, job.term_id),
    }
    const moments = {
      createdAt: job.created_at ?? start,
      updatedAt: start,
      appearedAt: start,
      expiresAt: endOf(start, plan),
    }
    const rest = { planId: plan.id, userId: null, logo, pending: false }
    this.tables.jobs.add({ ...columnsOf(stated), ...moments, ...rest })
    this.jobs++
  }

  private label(table: 'categories' | 'terms', name: string | undefined, id: number | undefined): number {
    if (name === undefined) return present(id)
    const known = this.tables[table].idOf('name', name)
    if (known !== undefined) return known
    this.made[table].push(name)
    return this.tables[table].add({ name }).id
  }

  private plan({ plan: name, plan_id: id }: Static<typeof ForeignJob>, draft: Draft<NewPlan>): PlanRow {
    const { plans } = this.tables
    const known = name === undefined ? present(plans.get(present(id))) : plans.find('name', name)
    if (known) return known
    const made = plans.add({ ...draft.settle(), archived: false })
    this.made.plans.push(made.name)
    return made
  }
}

/** What the rules have seen to be there. */
function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('what a row refers to went while it was taken in')
  return value
}
