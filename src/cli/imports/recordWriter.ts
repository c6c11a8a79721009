import type { Static } from '@sinclair/typebox'
import { isBlank } from '../../base/text.ts'
import { columnsOf } from '../../features/jobs/actions.ts'
import { periodEndOf, validateImportedJob, validateReferences } from '../../features/jobs/rules.ts'
import type { ImportedJob } from '../../features/jobs/schema.ts'
import { PlanFields } from '../../features/plans/schema.ts'
import type { PlanRow } from '../../store/rows.ts'
import type { TableReaders, Tables } from '../../store/tables.ts'
import { type Fields, validate, type Validation } from '../../validation/validation.ts'
import { type ExportedJob, type ParsedRecord, parseExportedJob, type RecordOf } from './records.ts'

type NewPlan = Static<typeof PlanFields>

/** What a plan is that has only a name: it costs nothing and never ends. */
const PLAN_DEFAULTS = new Map([
  ['price', 0],
  ['period', 0],
])

/** A job that is to be taken in. */
export interface ParsedJob {
  readonly validation: Validation<Static<typeof ImportedJob>>
  /** What its plan is to be if it must be made. */
  readonly plan: Validation<NewPlan>
  /** What it says besides if it comes from an export. */
  readonly exported: Validation<ExportedJob> | undefined
}

/**
 * Reads a row by the rules of the board, in which category, term and plan may go by name, also inside of an object.
 * Every fault is in its draft.
 * @param defaultPlan the plan of rows that name none
 * @param now in milliseconds since 1970, whole seconds
 */
export function parseJob(fields: Fields, tables: TableReaders, defaultPlan: string, now: number): ParsedJob {
  const values = new Map(fields.values)
  for (const name of ['category', 'term', 'plan']) values.set(name, nameFrom(values.get(name)))
  if (isBlank(values.get('plan')) && isBlank(values.get('plan_id'))) values.set('plan', defaultPlan)
  const validation = validateImportedJob({ values, form: fields.form }, now)
  const exported = parseExportedJob(fields)
  validateReferences(tables, validation)
  const plan = parsePlan(values.get('plan'), fields.values.get('plan'))
  const name = validation.value('plan')
  if (name !== undefined) {
    for (const [field, [error]] of Object.entries(plan.errors))
      validation.addError('plan', `${field} ${error}`)
    if (!exported && tables.plans.findBy('name', name)?.archived)
      validation.addError('plan', 'is not offered any more')
  }
  if (exported) validation.addErrors(exported.errors)
  return { validation, plan, exported }
}

/** Another service gives `{id, name}`, of which only the name says something here. */
function nameFrom(value: unknown): unknown {
  if (!isObject(value)) return value
  return 'name' in value ? value.name : undefined
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

function parsePlan(name: unknown, said: unknown): Validation<NewPlan> {
  const details = isObject(said) ? said : {}
  const values = new Map<string, unknown>(Object.entries({ ...details, name }))
  return validate(PlanFields, { values, form: false }, PLAN_DEFAULTS)
}

/** What an import made besides jobs, by name or address. */
export type CreatedRecords = Readonly<
  Record<'categories' | 'terms' | 'plans' | 'administrators' | 'users' | 'subscribers', string[]>
>

/**
 * Takes jobs in, and makes what they name and is not there. They have no owner, and wait for nobody; those of an export
 * are as they were.
 */
export class RecordWriter {
  readonly created: CreatedRecords = {
    categories: [],
    terms: [],
    plans: [],
    administrators: [],
    users: [],
    subscribers: [],
  }
  /** How many rows, of whatever kind. */
  rowCount = 0

  /** @param passwordHash of a password that nobody knows, for users; without any it is of no use */
  constructor(
    private readonly tables: Tables,
    private readonly passwordHash = '',
  ) {}

  /**
   * @param start from when the job's period counts, in milliseconds since 1970
   * @throws Problem 'invalid'
   */
  addJob({ validation, plan: newPlan, exported }: ParsedJob, start: number, logo = ''): void {
    const job = validation.valueOrThrow()
    const plan = this.planOf(job, newPlan)
    const stated = {
      ...job,
      category_id: this.labelId('categories', job.category, job.category_id),
      term_id: this.labelId('terms', job.term, job.term_id),
    }
    const rest = exported ? this.exportedState(exported.valueOrThrow()) : newState(start, plan)
    const createdAt = job.created_at ?? start
    this.tables.jobs.insert({ ...columnsOf(stated), ...rest, createdAt, planId: plan.id, logo })
    this.rowCount++
  }

  /** Takes in what is no job. What is there already stays as it is. */
  addRecord({ kind, validation }: ParsedRecord, start: number): void {
    this.rowCount++
    if (kind === 'category') this.labelId('categories', validation.valueOrThrow().name, undefined)
    else if (kind === 'term') this.labelId('terms', validation.valueOrThrow().name, undefined)
    else if (kind === 'plan') this.addPlan(validation.valueOrThrow())
    else if (kind === 'user') this.addUser(validation.valueOrThrow(), start)
    else this.addSubscriber(validation.valueOrThrow(), start)
  }

  private addPlan(plan: RecordOf<'plan'>) {
    if (this.tables.plans.findIdBy('name', plan.name) !== undefined) return
    this.created.plans.push(this.tables.plans.insert(plan).name)
  }

  private addUser({ created_at: createdAt, ...user }: RecordOf<'user'>, updatedAt: number) {
    if (this.tables.users.findIdBy('email', user.email) !== undefined) return
    const { created, passwordHash } = this
    const { email, role } = this.tables.users.insert({
      ...user,
      passwordHash,
      epoch: 1,
      createdAt,
      updatedAt,
    })
    created[role === 'admin' ? 'administrators' : 'users'].push(email)
  }

  private addSubscriber({ created_at: createdAt, ...subscriber }: RecordOf<'subscriber'>, start: number) {
    if (this.tables.subscribers.findIdBy('email', subscriber.email) !== undefined) return
    const moments = { createdAt, updatedAt: start, digestedUntil: start }
    this.created.subscribers.push(this.tables.subscribers.insert({ ...subscriber, ...moments }).email)
  }

  private exportedState({
    user,
    pending,
    updated_at: updatedAt,
    appeared_at: appearedAt,
    expires_at: expiresAt,
  }: ExportedJob) {
    const userId = user === undefined ? undefined : this.tables.users.findIdBy('email', user)
    return { userId: userId ?? null, pending, updatedAt, appearedAt, expiresAt }
  }

  private labelId(table: 'categories' | 'terms', name: string | undefined, id: number | undefined): number {
    if (name === undefined) return required(id)
    const known = this.tables[table].findIdBy('name', name)
    if (known !== undefined) return known
    this.created[table].push(name)
    return this.tables[table].insert({ name }).id
  }

  private planOf(
    { plan: name, plan_id: id }: Static<typeof ImportedJob>,
    validation: Validation<NewPlan>,
  ): PlanRow {
    const { plans } = this.tables
    const known = name === undefined ? required(plans.get(required(id))) : plans.findBy('name', name)
    if (known) return known
    const made = plans.insert({ ...validation.valueOrThrow(), archived: false })
    this.created.plans.push(made.name)
    return made
  }
}

const newState = (start: number, plan: PlanRow) => ({
  userId: null,
  pending: false,
  updatedAt: start,
  appearedAt: start,
  expiresAt: periodEndOf(start, plan),
})

/** What the rules have seen to be there. */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('what a row refers to went while it was taken in')
  return value
}
