import type { Static } from '@sinclair/typebox'
import { writeAs } from '../../accounts/writeAs.ts'
import { type Caller, isAdmin } from '../../base/caller.ts'
import { NAME_TAKEN } from '../../base/names.ts'
import { notFound, Problem } from '../../base/problem.ts'
import type { PlanRow } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import type { TableReaders } from '../../store/tables.ts'
import { validateUnique } from '../../store/unique.ts'
import type { Validation } from '../../validation/validation.ts'
import type { PLAN_STATUSES, PlanFields } from './schema.ts'

type Plan = Static<typeof PlanFields>

/** Returns the plans with a status. */
export const listPlans = (tables: TableReaders, status: (typeof PLAN_STATUSES)[number] | 'all'): PlanRow[] =>
  tables.plans.all().filter(plan => status === 'all' || plan.archived === (status === 'archived'))

/** Returns a plan. @throws Problem 'notFound', also if the plan is archived and the caller not an administrator */
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

export const createPlan = (store: Store, caller: Caller, input: Validation<Plan>): Promise<PlanRow> =>
  writeAs(store, caller, tables => {
    validateUnique(tables.plans, 'name', input, NAME_TAKEN)
    return tables.plans.insert({ ...input.valueOrThrow(), archived: false })
  })

export const updatePlan = (
  store: Store,
  caller: Caller,
  id: number,
  input: Validation<Partial<Plan>>,
): Promise<PlanRow> =>
  writeAs(store, caller, tables => {
    const plan = getPlan(tables, id)
    validateUnique(tables.plans, 'name', input, NAME_TAKEN, id)
    return tables.plans.update(plan, input.valueOrThrow())
  })

/** Archives a plan: no new job can use it, and its jobs stay. */
export const archivePlan = (store: Store, caller: Caller, id: number) => setArchived(store, caller, id, true)

/** Makes an archived plan available again. */
export const activatePlan = (store: Store, caller: Caller, id: number) =>
  setArchived(store, caller, id, false)

/** Deletes a plan. @throws Problem 'conflict' if it has jobs */
export function deletePlan(store: Store, caller: Caller, id: number): Promise<PlanRow> {
  return writeAs(store, caller, tables => {
    const plan = getPlan(tables, id)
    const jobs = tables.jobs.idsWhere('planId', id).length
    if (jobs > 0)
      throw new Problem(
        'conflict',
        `The plan "${plan.name}" has ${jobs === 1 ? '1 job' : `${jobs} jobs`}. Archive it instead.`,
      )
    tables.plans.remove(id)
    return plan
  })
}

const setArchived = (store: Store, caller: Caller, id: number, archived: boolean) =>
  writeAs(store, caller, tables => {
    const plan = getPlan(tables, id)
    return plan.archived === archived ? plan : tables.plans.update(plan, { archived })
  })
