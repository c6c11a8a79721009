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

/** The price and period of a plan that is known only by its name: jobs on it are free and never expire. */
const PLAN_DEFAULTS = new Map([
  ['price', 0],
  ['period', 0],
])

/** A checked job to import. */
export interface ParsedJob {
  readonly validation: Validation<Static<typeof ImportedJob>>
  /** The plan to create if it doesn't exist. */
  readonly plan: Validation<NewPlan>
  /** The extra fields of a job from an export. */
  readonly exported: Validation<ExportedJob> | undefined
}

/**
 * Checks a row by the rules of the board. Category, term and plan can also be a name, or an object with a name.
 * All errors are in `validation`.
 * @param defaultPlan the plan of rows without a plan
 * @param now in milliseconds since 1970, whole seconds
 */
export function parseJob(fields: Fields, tables: TableReaders, defaultPlan: string, now: number): ParsedJob {
  const values = new Map(fields.values)
  for (const name of ['category', 'term', 'plan']) values.set(name, nameFrom(values.get(name)))
  if (isBlank(values.get('plan')) && isBlank(values.get('plan_id'))) values.set('plan', defaultPlan)
  const validation = validateImportedJob({ values, isForm: fields.isForm }, now)
  const exported = parseExportedJob(fields)
  validateReferences(tables, validation)
  const plan = parsePlan(values.get('plan'), fields.values.get('plan'))
  const name = validation.value('plan')
  if (name !== undefined) {
    for (const [field, [error]] of Object.entries(plan.errors))
      validation.addError('plan', `${field} ${error}`)
    if (!exported && tables.plans.findBy('name', name)?.archived)
      validation.addError('plan', 'matches a plan that is archived')
  }
  if (exported) validation.addErrors(exported.errors)
  return { validation, plan, exported }
}

/** Returns the name in `{id, name}`, which another board's jobs have. Its id means nothing here. */
function nameFrom(value: unknown): unknown {
  if (!isObject(value)) return value
  return 'name' in value ? value.name : undefined
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

function parsePlan(name: unknown, value: unknown): Validation<NewPlan> {
  const details = isObject(value) ? value : {}
  const values = new Map<string, unknown>(Object.entries({ ...details, name }))
  return validate(PlanFields, { values, isForm: false }, PLAN_DEFAULTS)
}

/** The names or addresses of the records that an import created, other than jobs. */
export type CreatedRecords = Readonly<
  Record<'categories' | 'terms' | 'plans' | 'administrators' | 'users' | 'subscribers', string[]>
>

/**
 * Writes jobs, and creates the records that they refer to by name. Jobs have no owner and need no approval; jobs of an
 * export are restored unchanged.
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
  /** The number of rows of every kind. */
  rowCount = 0

  /** @param passwordHash the hash of a password that nobody knows; needed only for accounts */
  constructor(
    private readonly tables: Tables,
    private readonly passwordHash = '',
  ) {}

  /**
   * Stores a job.
   * @param start when the job's period starts, in milliseconds since 1970
   * @throws Problem 'invalid'
   */
  addJob({ validation, plan: newPlan, exported }: ParsedJob, start: number, logo = ''): void {
    const job = validation.valueOrThrow()
    const plan = this.planOf(job, newPlan)
    const values = {
      ...job,
      category_id: this.labelId('categories', job.category, job.category_id),
      term_id: this.labelId('terms', job.term, job.term_id),
    }
    const rest = exported ? this.exportedState(exported.valueOrThrow()) : newState(start, plan)
    const createdAt = job.created_at ?? start
    this.tables.jobs.insert({ ...columnsOf(values), ...rest, createdAt, planId: plan.id, logo })
    this.rowCount++
  }

  /** Writes a record other than a job. A record that exists stays unchanged. */
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
    const created = plans.insert({ ...validation.valueOrThrow(), archived: false })
    this.created.plans.push(created.name)
    return created
  }
}

const newState = (start: number, plan: PlanRow) => ({
  userId: null,
  pending: false,
  updatedAt: start,
  appearedAt: start,
  expiresAt: periodEndOf(start, plan),
})

/** Asserts what the checks guarantee. */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a record that a row refers to disappeared during the import')
  return value
}
