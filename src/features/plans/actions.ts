import type { Static } from '@sinclair/typebox'
import { writeAs } from '../../accounts/writeAs.ts'
import { type Caller, isAdmin } from '../../base/caller.ts'
import { notFound, Problem } from '../../base/problem.ts'
import { getOrThrow, validateUnique } from '../../store/lookup.ts'
import type { PlanRow } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import type { TableReaders } from '../../store/tables.ts'
import type { Validation } from '../../validation/validation.ts'
import type { PlanFields, PlanStatus } from './schema.ts'

type Plan = Static<typeof PlanFields>

/** Returns the plans with a status. */
export const listPlans = (tables: TableReaders, status: PlanStatus | 'all'): PlanRow[] =>
  tables.plans.all().filter(plan => status === 'all' || plan.archived === (status === 'archived'))

/** Returns a plan. @throws Problem 'notFound' also if the plan is archived and the caller isn't an administrator */
export function readPlan(tables: TableReaders, caller: Caller, id: number): PlanRow {
  const plan = getOrThrow(tables.plans, id, 'plan')
  if (plan.archived && !isAdmin(caller)) throw notFound('plan')
  return plan
}

export const createPlan = (store: Store, caller: Caller, input: Validation<Plan>): Promise<PlanRow> =>
  writeAs(store, caller, tables => {
    validateUnique(tables.plans, 'name', input)
    return tables.plans.insert({ ...input.valueOrThrow(), archived: false })
  })

export const updatePlan = (
  store: Store,
  caller: Caller,
  id: number,
  input: Validation<Partial<Plan>>,
): Promise<PlanRow> =>
  writeAs(store, caller, tables => {
    const plan = getOrThrow(tables.plans, id, 'plan')
    validateUnique(tables.plans, 'name', input, id)
    return tables.plans.update(plan, input.valueOrThrow())
  })

/** Archives a plan, so that no new job can use it, or makes it available again. */
export const setPlanStatus = (store: Store, caller: Caller, id: number, status: PlanStatus) =>
  writeAs(store, caller, tables => {
    const plan = getOrThrow(tables.plans, id, 'plan')
    const archived = status === 'archived'
    return plan.archived === archived ? plan : tables.plans.update(plan, { archived })
  })

/** Deletes a plan. @throws Problem 'conflict' if it has jobs */
export function deletePlan(store: Store, caller: Caller, id: number): Promise<PlanRow> {
  return writeAs(store, caller, tables => {
    const plan = getOrThrow(tables.plans, id, 'plan')
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
