import type { PlanRow } from '../../store/rows.ts'
import type { Tables } from '../../store/tables.ts'
import type { Validation } from '../../validation/validation.ts'
import type { ImportedDraft } from '../jobs/importSchema.ts'
import { columnsOf } from '../jobs/jobWriter.ts'
import { newDraft, periodEndOf } from '../jobs/publication.ts'
import type { NewPlan, ParsedJob } from './parsedJob.ts'
import { exportedState, type ParsedRecord, type RecordOf } from './records.ts'

/** The names or addresses of the records that an import created, other than jobs. */
export type CreatedRecords = Readonly<
  Record<
    'categories' | 'terms' | 'plans' | 'archivedPlans' | 'administrators' | 'users' | 'subscribers',
    string[]
  >
>

/** Adds the names of further records to others. */
export function addRecords(all: CreatedRecords, more: CreatedRecords): void {
  for (const [kind, names] of Object.entries(more)) all[kind as keyof CreatedRecords].push(...names)
}

export const noRecords = (): CreatedRecords => ({
  categories: [],
  terms: [],
  plans: [],
  archivedPlans: [],
  administrators: [],
  users: [],
  subscribers: [],
})

/**
 * Writes jobs, and creates the records that they refer to by name. Jobs have no owner and need no approval; jobs of an
 * export are restored unchanged.
 */
export class RecordWriter {
  readonly created = noRecords()
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
    const createdAt = job.created_at ?? start
    const state = exported
      ? exportedState(exported.valueOrThrow(), this.tables, createdAt)
      : publishedState(start, createdAt, plan)
    this.tables.jobs.insert({
      ...columnsOf(job),
      ...newDraft(createdAt),
      categoryId: this.labelId('categories', job.category, job.category_id),
      termId: this.labelId('terms', job.term, job.term_id),
      planId: plan?.id ?? null,
      logo,
      ...state,
    })
    this.rowCount++
  }

  /** Writes a record other than a job. A record that exists stays unchanged. */
  addRecord({ kind, validation }: ParsedRecord, start: number): void {
    this.rowCount++
    if (kind === 'category') this.labelId('categories', validation.valueOrThrow().name, undefined)
    else if (kind === 'term') this.labelId('terms', validation.valueOrThrow().name, undefined)
    else if (kind === 'plan') this.addPlan(validation.valueOrThrow())
    else if (kind === 'source') this.addSource(validation.valueOrThrow(), start)
    else if (kind === 'user') this.addUser(validation.valueOrThrow(), start)
    else this.addSubscriber(validation.valueOrThrow(), start)
  }

  private addPlan(plan: RecordOf<'plan'>) {
    if (this.tables.plans.findIdBy('name', plan.name) !== undefined) return
    this.created.plans.push(this.tables.plans.insert(plan).name)
  }

  private addSource({ name, user }: RecordOf<'source'>, createdAt: number) {
    const { sources, users } = this.tables
    if (sources.findIdBy('name', name) !== undefined) return
    const userId = (user === undefined ? undefined : users.findIdBy('email', user)) ?? null
    sources.insert({ name, userId, createdAt, failed: false })
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

  private labelId(
    table: 'categories' | 'terms',
    name: string | undefined,
    id: number | undefined,
  ): number | null {
    if (name === undefined) return id ?? null
    const known = this.tables[table].findIdBy('name', name)
    if (known !== undefined) return known
    this.created[table].push(name)
    return this.tables[table].insert({ name }).id
  }

  private planOf(
    { plan: name, plan_id: id }: ImportedDraft,
    validation: Validation<NewPlan>,
  ): PlanRow | undefined {
    const { plans } = this.tables
    if (name === undefined) return plans.get(id ?? null)
    const known = plans.findBy('name', name)
    if (known) return known
    // It is archived, because anybody who may post could otherwise choose it, and it is free.
    const created = plans.insert({ ...validation.valueOrThrow(), archived: true })
    this.created.archivedPlans.push(created.name)
    return created
  }
}

/** Returns the state of a job that is published by its import. */
function publishedState(start: number, createdAt: number, plan: PlanRow | undefined) {
  // The validation requires a plan.
  if (!plan) throw new Error('the plan of a row disappeared during the import')
  return {
    userId: null,
    updatedAt: start,
    submittedAt: createdAt,
    publishedAt: start,
    expiresAt: periodEndOf(start, plan),
  }
}
