import { writeAs } from '../../accounts/writeAs.ts'
import { type Caller, isAdmin } from '../../base/caller.ts'
import { NAME_TAKEN } from '../../base/names.ts'
import { notFound, Problem } from '../../base/problem.ts'
import { forbidden } from '../../http/auth.ts'
import type { PlanRow } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import type { TableReaders } from '../../store/tables.ts'
import { validateUnique } from '../../store/unique.ts'
import { type Fields, validate, validatePatch } from '../../validation/validation.ts'
import { type PLAN_STATUSES, PlanFields } from './schema.ts'

type Asked = (typeof PLAN_STATUSES)[number] | 'all'

/**
 * The plans of a status; those that are not offered any more are for administrators.
 * @throws Problem 'forbidden'
 */
export function listPlans(tables: TableReaders, caller: Caller, asked: Asked): PlanRow[] {
  if (asked !== 'active' && !isAdmin(caller)) throw forbidden()
  return tables.plans.all().filter(plan => asked === 'all' || plan.archived === (asked === 'archived'))
}

/** @throws Problem 'notFound', also for an archived plan and a caller who is no administrator */
export function readPlan(tables: TableReaders, caller: Caller, id: number): PlanRow {
  const plan = getPlan(tables, id)
  if (plan.archived && !isAdmin(caller)) throw notFound('plan')
  return plan
}

/** @throws Problem 'notFound' */
export function getPlan(tables: TableReaders, id: number): PlanRow {
  const plan = tables.plans.get(id)
  if (!plan) throw notFound('plan')
  return plan
}

export async function addPlan(store: Store, caller: Caller, fields: Fields): Promise<PlanRow> {
  const validation = validate(PlanFields, fields)
  return await writeAs(store, caller, tables => {
    validateUnique(tables.plans, 'name', validation, NAME_TAKEN)
    return tables.plans.insert({ ...validation.valueOrThrow(), archived: false })
  })
}

export async function changePlan(store: Store, caller: Caller, id: number, fields: Fields): Promise<PlanRow> {
  const validation = validatePatch(PlanFields, fields)
  return await writeAs(store, caller, tables => {
    const plan = getPlan(tables, id)
    validateUnique(tables.plans, 'name', validation, NAME_TAKEN, id)
    return tables.plans.update(plan, validation.valueOrThrow())
  })
}

/** Takes a plan out of the offer; the jobs on it stay. */
export const archivePlan = (store: Store, caller: Caller, id: number) => setArchived(store, caller, id, true)

/** Undoes an archive. */
export const activatePlan = (store: Store, caller: Caller, id: number) =>
  setArchived(store, caller, id, false)

/** @throws Problem 'conflict' while any job is on it */
export function removePlan(store: Store, caller: Caller, id: number): Promise<PlanRow> {
  return writeAs(store, caller, tables => {
    const plan = getPlan(tables, id)
    const jobs = tables.jobs.idsWhere('planId', id).length
    if (jobs > 0)
      throw new Problem('conflict', `The plan "${plan.name}" has ${jobs} jobs on it: archive it instead.`)
    tables.plans.remove(id)
    return plan
  })
}

const setArchived = (store: Store, caller: Caller, id: number, archived: boolean) =>
  writeAs(store, caller, tables => {
    const plan = getPlan(tables, id)
    return plan.archived === archived ? plan : tables.plans.update(plan, { archived })
  })
